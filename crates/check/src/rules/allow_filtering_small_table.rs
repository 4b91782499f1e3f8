//! QP003: allow filtering small table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP003",
    name: "allow-filtering-small-table",
    category: Category::QueryPerformance,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("allow_filtering_small_table.md"),
};
