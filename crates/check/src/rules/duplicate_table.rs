//! DM006: duplicate table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM006",
    name: "duplicate-table",
    category: Category::Model,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("duplicate_table.md"),
};
