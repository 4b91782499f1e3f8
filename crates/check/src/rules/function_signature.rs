//! SV037: function signature.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV037",
    name: "function-signature",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("function_signature.md"),
};
