//! CN003: counter ttl timestamp.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN003",
    name: "counter-ttl-timestamp",
    category: Category::Counter,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_ttl_timestamp.md"),
};
