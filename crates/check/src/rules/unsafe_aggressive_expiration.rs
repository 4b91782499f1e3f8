//! CP010: unsafe aggressive expiration.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP010",
    name: "unsafe-aggressive-expiration",
    category: Category::Compaction,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("unsafe_aggressive_expiration.md"),
};
