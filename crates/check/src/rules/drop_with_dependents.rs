//! SV026: drop with dependents.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV026",
    name: "drop-with-dependents",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Change],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("drop_with_dependents.md"),
};
