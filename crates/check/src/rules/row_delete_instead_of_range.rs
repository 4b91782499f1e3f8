//! TB005: row delete instead of range.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB005",
    name: "row-delete-instead-of-range",
    category: Category::Tombstone,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("row_delete_instead_of_range.md"),
};
