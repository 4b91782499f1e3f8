//! MV009: mv unselected column delete.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV009",
    name: "mv-unselected-column-delete",
    category: Category::View,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_unselected_column_delete.md"),
};
