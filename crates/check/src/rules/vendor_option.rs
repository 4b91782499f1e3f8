//! TO009: options of another product.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO009",
    name: "vendor-option",
    category: Category::Options,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("vendor_option.md"),
};
