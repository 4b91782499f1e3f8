//! QV027: unknown names and types.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV027",
    name: "unknown-names-and-types",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unknown_names_and_types.md"),
};
