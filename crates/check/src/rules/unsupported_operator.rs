//! QV018: unsupported operator.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV018",
    name: "unsupported-operator",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unsupported_operator.md"),
};
