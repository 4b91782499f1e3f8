//! PK002: boolean partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK002",
    name: "boolean-partition-key",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("boolean_partition_key.md"),
};
