//! MG006: destructive statement.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG006",
    name: "destructive-statement",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("destructive_statement.md"),
};
