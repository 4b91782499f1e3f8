//! CN002: counter set.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN002",
    name: "counter-set",
    category: Category::Counter,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_set.md"),
};
