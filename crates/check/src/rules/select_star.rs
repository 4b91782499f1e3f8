//! QP012: select star.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP012",
    name: "select-star",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("select_star.md"),
};
