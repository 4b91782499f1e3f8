//! PS001: unbounded partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS001",
    name: "unbounded-partition",
    category: Category::PartitionSize,
    severity: Severity::Critical,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("unbounded_partition.md"),
};
