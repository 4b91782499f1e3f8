//! QP001: allow filtering scan.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP001",
    name: "allow-filtering-scan",
    category: Category::QueryPerformance,
    severity: Severity::Critical,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("allow_filtering_scan.md"),
};
