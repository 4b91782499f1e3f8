//! DM013: uniqueness by index.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM013",
    name: "uniqueness-by-index",
    category: Category::Model,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("uniqueness_by_index.md"),
};
