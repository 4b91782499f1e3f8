//! PK015: shard fanout.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK015",
    name: "shard-fanout",
    category: Category::PartitionKey,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("shard_fanout.md"),
};
