//! SV022: duplicate index.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV022",
    name: "duplicate-index",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("duplicate_index.md"),
};
