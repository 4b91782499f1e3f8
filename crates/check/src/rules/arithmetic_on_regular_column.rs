//! QV026: arithmetic on regular column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV026",
    name: "arithmetic-on-regular-column",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("arithmetic_on_regular_column.md"),
};
