//! QP022: timeuuid range with now.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP022",
    name: "timeuuid-range-with-now",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("timeuuid_range_with_now.md"),
};
