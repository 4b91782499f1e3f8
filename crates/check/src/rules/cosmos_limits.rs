//! PT004: cosmos limits.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PT004",
    name: "cosmos-limits",
    category: Category::Profile,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("cosmos_limits.md"),
};
