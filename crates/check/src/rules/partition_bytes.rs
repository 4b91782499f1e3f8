//! PS002: partition bytes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS002",
    name: "partition-bytes",
    category: Category::PartitionSize,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("partition_bytes.md"),
};
