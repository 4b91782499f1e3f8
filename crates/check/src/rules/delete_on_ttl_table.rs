//! TB009: delete on ttl table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB009",
    name: "delete-on-ttl-table",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("delete_on_ttl_table.md"),
};
