//! HL003: unreasoned allowance.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL003",
    name: "unreasoned-allowance",
    category: Category::Checking,
    severity: Severity::Low,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unreasoned_allowance.md"),
};
