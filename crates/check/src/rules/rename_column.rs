//! MG005: rename column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG005",
    name: "rename-column",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("rename_column.md"),
};
