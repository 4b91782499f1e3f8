//! PS009: large cell.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS009",
    name: "large-cell",
    category: Category::PartitionSize,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("large_cell.md"),
};
