//! SV024: keyspace replication.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV024",
    name: "keyspace-replication",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("keyspace_replication.md"),
};
