//! PK014: bucket too fine.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK014",
    name: "bucket-too-fine",
    category: Category::PartitionKey,
    severity: Severity::Low,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("bucket_too_fine.md"),
};
