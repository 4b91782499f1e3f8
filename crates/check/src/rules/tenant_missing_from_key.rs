//! PK007: tenant missing from key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK007",
    name: "tenant-missing-from-key",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("tenant_missing_from_key.md"),
};
