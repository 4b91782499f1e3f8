//! TB014: partial row ttl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB014",
    name: "partial-row-ttl",
    category: Category::Tombstone,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("partial_row_ttl.md"),
};
