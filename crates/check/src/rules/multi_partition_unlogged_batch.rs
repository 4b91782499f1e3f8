//! BA002: multi partition unlogged batch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA002",
    name: "multi-partition-unlogged-batch",
    category: Category::WritePath,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("multi_partition_unlogged_batch.md"),
};
