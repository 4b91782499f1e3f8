//! QP023: uncovered query.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP023",
    name: "uncovered-query",
    category: Category::QueryPerformance,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("uncovered_query.md"),
};
