//! QP009: aggregation without partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP009",
    name: "aggregation-without-partition",
    category: Category::QueryPerformance,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("aggregation_without_partition.md"),
};
