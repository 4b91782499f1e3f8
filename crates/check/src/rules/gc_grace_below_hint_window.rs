//! TB011: gc grace below hint window.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TB011",
    name: "gc-grace-below-hint-window",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("gc_grace_below_hint_window.md"),
};
