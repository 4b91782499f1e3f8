//! TB007: retention without ttl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB007",
    name: "retention-without-ttl",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("retention_without_ttl.md"),
};
