//! CP009: aggressive tombstone compaction.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP009",
    name: "aggressive-tombstone-compaction",
    category: Category::Compaction,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("aggressive_tombstone_compaction.md"),
};
