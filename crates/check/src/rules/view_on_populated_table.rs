//! MG014: view on populated table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG014",
    name: "view-on-populated-table",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("view_on_populated_table.md"),
};
