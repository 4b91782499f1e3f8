//! QP014: multi partition request.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP014",
    name: "multi-partition-request",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("multi_partition_request.md"),
};
