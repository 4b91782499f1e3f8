//! MG004: drop column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG004",
    name: "drop-column",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("drop_column.md"),
};
