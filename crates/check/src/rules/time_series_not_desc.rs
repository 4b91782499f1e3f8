//! CK002: time series not desc.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK002",
    name: "time-series-not-desc",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("time_series_not_desc.md"),
};
