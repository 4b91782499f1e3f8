//! QP002: allow filtering in partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP002",
    name: "allow-filtering-in-partition",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("allow_filtering_in_partition.md"),
};
