//! SV005: static rules.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV005",
    name: "static-rules",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("static_rules.md"),
};
