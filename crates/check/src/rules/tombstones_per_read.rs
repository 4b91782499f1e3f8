//! TB002: tombstones per read.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB002",
    name: "tombstones-per-read",
    category: Category::Tombstone,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("tombstones_per_read.md"),
};
