//! QV015: paged order by with in.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV015",
    name: "paged-order-by-with-in",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("paged_order_by_with_in.md"),
};
