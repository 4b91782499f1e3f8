//! DM004: one table many patterns.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM004",
    name: "one-table-many-patterns",
    category: Category::Model,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("one_table_many_patterns.md"),
};
