//! PK006: mutable partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK006",
    name: "mutable-partition-key",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mutable_partition_key.md"),
};
