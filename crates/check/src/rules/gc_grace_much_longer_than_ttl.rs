//! TB013: gc grace much longer than ttl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB013",
    name: "gc-grace-much-longer-than-ttl",
    category: Category::Tombstone,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("gc_grace_much_longer_than_ttl.md"),
};
