//! QP007: in cartesian product.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP007",
    name: "in-cartesian-product",
    category: Category::QueryPerformance,
    severity: Severity::High,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("in_cartesian_product.md"),
};
