//! QV035: accord restrictions.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV035",
    name: "accord-restrictions",
    category: Category::QueryValidity,
    severity: Severity::Info,
    asks: &[Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("accord_restrictions.md"),
};
