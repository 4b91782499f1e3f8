//! CP003: twcs with updates.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP003",
    name: "twcs-with-updates",
    category: Category::Compaction,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("twcs_with_updates.md"),
};
