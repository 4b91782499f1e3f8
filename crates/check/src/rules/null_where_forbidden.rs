//! QV028: null where forbidden.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV028",
    name: "null-where-forbidden",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("null_where_forbidden.md"),
};
