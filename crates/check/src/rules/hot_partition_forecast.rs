//! PK018: hot partition forecast.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK018",
    name: "hot-partition-forecast",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("hot_partition_forecast.md"),
};
