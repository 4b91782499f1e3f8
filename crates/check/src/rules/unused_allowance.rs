//! HL001: unused allowance.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL001",
    name: "unused-allowance",
    category: Category::Checking,
    severity: Severity::Low,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unused_allowance.md"),
};
