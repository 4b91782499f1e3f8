//! QV032: too many markers.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV032",
    name: "too-many-markers",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("too_many_markers.md"),
};
