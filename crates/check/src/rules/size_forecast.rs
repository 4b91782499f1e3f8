//! PS007: size forecast.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PS007",
    name: "size-forecast",
    category: Category::PartitionSize,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("size_forecast.md"),
};
