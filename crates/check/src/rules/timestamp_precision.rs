//! TY011: timestamp precision.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY011",
    name: "timestamp-precision",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("timestamp_precision.md"),
};
