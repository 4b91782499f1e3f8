//! TB012: gc grace below repair interval.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB012",
    name: "gc-grace-below-repair-interval",
    category: Category::Tombstone,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("gc_grace_below_repair_interval.md"),
};
