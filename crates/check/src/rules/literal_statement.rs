//! QP015: literal statement.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP015",
    name: "literal-statement",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("literal_statement.md"),
};
