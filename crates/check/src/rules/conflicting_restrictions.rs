//! QV019: conflicting restrictions.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV019",
    name: "conflicting-restrictions",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("conflicting_restrictions.md"),
};
