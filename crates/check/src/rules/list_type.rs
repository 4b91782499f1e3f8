//! CO004: list type.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO004",
    name: "list-type",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("list_type.md"),
};
