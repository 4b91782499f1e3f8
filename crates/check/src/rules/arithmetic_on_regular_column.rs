//! QV026: arithmetic on regular column.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV026",
    name: "arithmetic-on-regular-column",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("arithmetic_on_regular_column.md"),
};
