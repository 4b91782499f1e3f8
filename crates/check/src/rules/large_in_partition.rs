//! QP006: large in partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP006",
    name: "large-in-partition",
    category: Category::QueryPerformance,
    severity: Severity::High,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("large_in_partition.md"),
};
