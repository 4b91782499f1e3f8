//! QV014: order by with index.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV014",
    name: "order-by-with-index",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("order_by_with_index.md"),
};
