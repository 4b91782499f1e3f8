//! QV020: collection predicates.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV020",
    name: "collection-predicates",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("collection_predicates.md"),
};
