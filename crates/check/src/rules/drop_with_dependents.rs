//! SV026: drop with dependents.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV026",
    name: "drop-with-dependents",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("drop_with_dependents.md"),
};
