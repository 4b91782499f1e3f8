//! MG018: add column with select star.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG018",
    name: "add-column-with-select-star",
    category: Category::Migration,
    severity: Severity::Low,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("add_column_with_select_star.md"),
};
