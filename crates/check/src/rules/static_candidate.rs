//! CK014: static candidate.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK014",
    name: "static-candidate",
    category: Category::Clustering,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("static_candidate.md"),
};
