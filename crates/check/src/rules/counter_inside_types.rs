//! SV010: counter inside types.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV010",
    name: "counter-inside-types",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_inside_types.md"),
};
