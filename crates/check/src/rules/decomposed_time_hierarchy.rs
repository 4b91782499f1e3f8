//! CK007: decomposed time hierarchy.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK007",
    name: "decomposed-time-hierarchy",
    category: Category::Clustering,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("decomposed_time_hierarchy.md"),
};
