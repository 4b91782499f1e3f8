//! TO005: row cache on wide table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO005",
    name: "row-cache-on-wide-table",
    category: Category::Options,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("row_cache_on_wide_table.md"),
};
