//! QP010: aggregation over in.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP010",
    name: "aggregation-over-in",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("aggregation_over_in.md"),
};
