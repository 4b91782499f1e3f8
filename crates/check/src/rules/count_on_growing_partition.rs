//! QP011: count on growing partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP011",
    name: "count-on-growing-partition",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("count_on_growing_partition.md"),
};
