//! TB008: ttl too long.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB008",
    name: "ttl-too-long",
    category: Category::Tombstone,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("ttl_too_long.md"),
};
