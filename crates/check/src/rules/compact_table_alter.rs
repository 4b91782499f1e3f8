//! MG016: compact table alter.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG016",
    name: "compact-table-alter",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("compact_table_alter.md"),
};
