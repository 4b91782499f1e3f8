//! PK013: bucket not in partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK013",
    name: "bucket-not-in-partition-key",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("bucket_not_in_partition_key.md"),
};
