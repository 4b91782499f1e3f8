//! CK004: eq range sort order.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK004",
    name: "eq-range-sort-order",
    category: Category::Clustering,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("eq_range_sort_order.md"),
};
