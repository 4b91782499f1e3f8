//! QP013: no limit on wide partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP013",
    name: "no-limit-on-wide-partition",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("no_limit_on_wide_partition.md"),
};
