//! TB004: delete heavy table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB004",
    name: "delete-heavy-table",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("delete_heavy_table.md"),
};
