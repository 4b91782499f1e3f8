//! PK004: time as sole partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK004",
    name: "time-as-sole-partition-key",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("time_as_sole_partition_key.md"),
};
