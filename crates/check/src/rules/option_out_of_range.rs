//! SV017: option out of range.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV017",
    name: "option-out-of-range",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("option_out_of_range.md"),
};
