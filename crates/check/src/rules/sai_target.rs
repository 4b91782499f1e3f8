//! SV023: sai target.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV023",
    name: "sai-target",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("sai_target.md"),
};
