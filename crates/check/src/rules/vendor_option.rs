//! TO009: options of another product.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO009",
    name: "vendor-option",
    category: Category::Options,
    severity: Severity::Info,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("vendor_option.md"),
};
