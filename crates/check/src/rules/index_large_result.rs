//! IX005: index large result.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX005",
    name: "index-large-result",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_large_result.md"),
};
