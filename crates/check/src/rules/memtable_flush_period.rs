//! TO007: memtable flush period.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO007",
    name: "memtable-flush-period",
    category: Category::Options,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("memtable_flush_period.md"),
};
