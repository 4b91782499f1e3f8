//! LW005: a condition on the primary key, or without all of it.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW005",
    name: "lwt-condition-on-key",
    category: Category::WritePath,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("lwt_condition_on_key.md"),
};
