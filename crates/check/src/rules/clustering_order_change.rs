//! MG002: clustering order change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG002",
    name: "clustering-order-change",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("clustering_order_change.md"),
};
