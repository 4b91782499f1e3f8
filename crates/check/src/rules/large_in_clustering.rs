//! QP008: large in clustering.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP008",
    name: "large-in-clustering",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("large_in_clustering.md"),
};
