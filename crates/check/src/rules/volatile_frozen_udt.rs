//! TY009: volatile frozen udt.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY009",
    name: "volatile-frozen-udt",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("volatile_frozen_udt.md"),
};
