//! PK019: tiny partitions read together.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK019",
    name: "tiny-partitions-read-together",
    category: Category::PartitionKey,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("tiny_partitions_read_together.md"),
};
