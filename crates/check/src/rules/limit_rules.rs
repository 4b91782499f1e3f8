//! QV029: limit rules.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV029",
    name: "limit-rules",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("limit_rules.md"),
};
