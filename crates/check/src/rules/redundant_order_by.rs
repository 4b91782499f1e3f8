//! CK003: redundant order by.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK003",
    name: "redundant-order-by",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("redundant_order_by.md"),
};
