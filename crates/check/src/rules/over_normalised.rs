//! DM001: over normalised.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM001",
    name: "over-normalised",
    category: Category::Model,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("over_normalised.md"),
};
