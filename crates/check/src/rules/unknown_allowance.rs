//! HL002: unknown allowance.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL002",
    name: "unknown-allowance",
    category: Category::Checking,
    severity: Severity::Medium,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unknown_allowance.md"),
};
