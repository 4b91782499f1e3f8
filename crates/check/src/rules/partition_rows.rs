//! PS004: partition rows.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS004",
    name: "partition-rows",
    category: Category::PartitionSize,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("partition_rows.md"),
};
