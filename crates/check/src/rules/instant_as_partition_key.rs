//! PK005: instant as partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK005",
    name: "instant-as-partition-key",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("instant_as_partition_key.md"),
};
