//! PK009: long partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK009",
    name: "long-partition-key",
    category: Category::PartitionKey,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("long_partition_key.md"),
};
