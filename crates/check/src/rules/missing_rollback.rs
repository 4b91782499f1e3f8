//! MG023: missing rollback.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG023",
    name: "missing-rollback",
    category: Category::Migration,
    severity: Severity::Info,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("missing_rollback.md"),
};
