//! QV033: removed function.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV033",
    name: "removed-function",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("removed_function.md"),
};
