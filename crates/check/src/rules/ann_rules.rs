//! QV030: ann rules.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV030",
    name: "ann-rules",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("ann_rules.md"),
};
