//! PK011: partition key over specified.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK011",
    name: "partition-key-over-specified",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("partition_key_over_specified.md"),
};
