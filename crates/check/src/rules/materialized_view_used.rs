//! MV001: materialized view used.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV001",
    name: "materialized-view-used",
    category: Category::View,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("materialized_view_used.md"),
};
