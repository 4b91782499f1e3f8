//! PS006: bucket too coarse.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS006",
    name: "bucket-too-coarse",
    category: Category::PartitionSize,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("bucket_too_coarse.md"),
};
