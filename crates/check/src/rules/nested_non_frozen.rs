//! SV009: nested non frozen.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV009",
    name: "nested-non-frozen",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("nested_non_frozen.md"),
};
