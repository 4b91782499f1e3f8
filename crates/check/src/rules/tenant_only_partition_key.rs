//! PK008: tenant only partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK008",
    name: "tenant-only-partition-key",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("tenant_only_partition_key.md"),
};
