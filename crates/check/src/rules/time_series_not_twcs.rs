//! CP004: time series not twcs.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP004",
    name: "time-series-not-twcs",
    category: Category::Compaction,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("time_series_not_twcs.md"),
};
