//! QV016: group by rules.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV016",
    name: "group-by-rules",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("group_by_rules.md"),
};
