//! MG013: index on populated table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG013",
    name: "index-on-populated-table",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_on_populated_table.md"),
};
