//! CN005: counter delete reuse.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN005",
    name: "counter-delete-reuse",
    category: Category::Counter,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("counter_delete_reuse.md"),
};
