//! SV031: column exists.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV031",
    name: "column-exists",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("column_exists.md"),
};
