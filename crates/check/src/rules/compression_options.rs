//! SV019: compression options.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV019",
    name: "compression-options",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("compression_options.md"),
};
