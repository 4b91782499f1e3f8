//! MG012: replication change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG012",
    name: "replication-change",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("replication_change.md"),
};
