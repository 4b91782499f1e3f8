//! MG007: drop and recreate.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG007",
    name: "drop-and-recreate",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("drop_and_recreate.md"),
};
