//! SV018: compaction options.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV018",
    name: "compaction-options",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("compaction_options.md"),
};
