//! BA001: multi partition logged batch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA001",
    name: "multi-partition-logged-batch",
    category: Category::WritePath,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("multi_partition_logged_batch.md"),
};
