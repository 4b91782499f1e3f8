//! HL004: wrong directive.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL004",
    name: "wrong-directive",
    category: Category::Checking,
    severity: Severity::Medium,
    requires: &[Requirement::Schema, Requirement::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("wrong_directive.md"),
};
