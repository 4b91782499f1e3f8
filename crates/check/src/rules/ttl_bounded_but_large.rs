//! PS005: ttl bounded but large.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS005",
    name: "ttl-bounded-but-large",
    category: Category::PartitionSize,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("ttl_bounded_but_large.md"),
};
