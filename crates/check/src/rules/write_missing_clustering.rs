//! QV003: write missing clustering.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV003",
    name: "write-missing-clustering",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("write_missing_clustering.md"),
};
