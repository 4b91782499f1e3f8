//! CK005: conflicting orders.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK005",
    name: "conflicting-orders",
    category: Category::Clustering,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("conflicting_orders.md"),
};
