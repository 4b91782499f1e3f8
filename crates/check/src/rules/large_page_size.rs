//! QP019: large page size.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP019",
    name: "large-page-size",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("large_page_size.md"),
};
