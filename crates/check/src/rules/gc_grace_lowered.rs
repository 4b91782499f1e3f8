//! MG011: gc grace lowered.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG011",
    name: "gc-grace-lowered",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("gc_grace_lowered.md"),
};
