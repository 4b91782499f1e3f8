//! MG003: type change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG003",
    name: "type-change",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("type_change.md"),
};
