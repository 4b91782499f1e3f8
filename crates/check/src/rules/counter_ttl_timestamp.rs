//! CN003: counter ttl timestamp.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN003",
    name: "counter-ttl-timestamp",
    category: Category::Counter,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_ttl_timestamp.md"),
};
