//! SV001: missing or duplicate primary key.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV001",
    name: "missing-or-duplicate-primary-key",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("missing_or_duplicate_primary_key.md"),
};
