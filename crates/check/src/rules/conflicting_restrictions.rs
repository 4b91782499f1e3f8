//! QV019: conflicting restrictions.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV019",
    name: "conflicting-restrictions",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("conflicting_restrictions.md"),
};
