//! TO009: vendor option.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO009",
    name: "vendor-option",
    category: Category::Options,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("vendor_option.md"),
};
