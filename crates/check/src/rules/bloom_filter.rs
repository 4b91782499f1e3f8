//! TO006: bloom filter.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO006",
    name: "bloom-filter",
    category: Category::Options,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("bloom_filter.md"),
};
