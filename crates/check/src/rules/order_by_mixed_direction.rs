//! QV013: order by mixed direction.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV013",
    name: "order-by-mixed-direction",
    category: Category::QueryValidity,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("order_by_mixed_direction.md"),
};
