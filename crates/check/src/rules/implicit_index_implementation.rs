//! IX017: implicit index implementation.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX017",
    name: "implicit-index-implementation",
    category: Category::Index,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("implicit_index_implementation.md"),
};
