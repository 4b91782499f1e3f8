//! PT003: scylla differences.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PT003",
    name: "scylla-differences",
    category: Category::Profile,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("scylla_differences.md"),
};
