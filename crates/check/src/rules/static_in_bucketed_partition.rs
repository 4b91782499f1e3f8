//! CK015: static in bucketed partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK015",
    name: "static-in-bucketed-partition",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("static_in_bucketed_partition.md"),
};
