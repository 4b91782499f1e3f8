//! PS010: capacity.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS010",
    name: "capacity",
    category: Category::PartitionSize,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("capacity.md"),
};
