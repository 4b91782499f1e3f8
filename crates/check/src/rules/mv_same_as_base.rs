//! MV010: mv same as base.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV010",
    name: "mv-same-as-base",
    category: Category::View,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_same_as_base.md"),
};
