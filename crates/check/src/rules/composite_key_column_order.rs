//! PK021: composite key column order.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK021",
    name: "composite-key-column-order",
    category: Category::PartitionKey,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("composite_key_column_order.md"),
};
