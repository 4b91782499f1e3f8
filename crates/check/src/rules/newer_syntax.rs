//! SY002: newer syntax.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SY002",
    name: "newer-syntax",
    category: Category::Syntax,
    severity: Severity::Error,
    requires: &[Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("newer_syntax.md"),
};
