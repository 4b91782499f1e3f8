//! QP018: mutable intersection filter.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP018",
    name: "mutable-intersection-filter",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mutable_intersection_filter.md"),
};
