//! TB016: soft delete flag.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB016",
    name: "soft-delete-flag",
    category: Category::Tombstone,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("soft_delete_flag.md"),
};
