//! TO002: compact storage.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO002",
    name: "compact-storage",
    category: Category::Options,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("compact_storage.md"),
};
