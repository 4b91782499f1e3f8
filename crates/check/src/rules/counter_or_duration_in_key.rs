//! SV004: counter or duration in key.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV004",
    name: "counter-or-duration-in-key",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_or_duration_in_key.md"),
};
