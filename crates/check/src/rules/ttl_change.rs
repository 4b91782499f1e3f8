//! MG009: ttl change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG009",
    name: "ttl-change",
    category: Category::Migration,
    severity: Severity::Low,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("ttl_change.md"),
};
