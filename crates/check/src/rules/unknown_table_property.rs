//! SV016: unknown table property.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV016",
    name: "unknown-table-property",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unknown_table_property.md"),
};
