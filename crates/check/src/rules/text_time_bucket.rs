//! PK020: text time bucket.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK020",
    name: "text-time-bucket",
    category: Category::PartitionKey,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("text_time_bucket.md"),
};
