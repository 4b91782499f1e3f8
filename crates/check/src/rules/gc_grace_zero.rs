//! TB010: gc grace zero.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB010",
    name: "gc-grace-zero",
    category: Category::Tombstone,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("gc_grace_zero.md"),
};
