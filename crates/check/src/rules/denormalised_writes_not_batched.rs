//! BA011: denormalised writes not batched.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA011",
    name: "denormalised-writes-not-batched",
    category: Category::WritePath,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("denormalised_writes_not_batched.md"),
};
