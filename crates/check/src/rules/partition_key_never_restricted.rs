//! PK010: partition key never restricted.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK010",
    name: "partition-key-never-restricted",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("partition_key_never_restricted.md"),
};
