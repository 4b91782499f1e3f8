//! TB006: mixed ttl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB006",
    name: "mixed-ttl",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mixed_ttl.md"),
};
