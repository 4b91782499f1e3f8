//! IX003: index is primary path.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX003",
    name: "index-is-primary-path",
    category: Category::Index,
    severity: Severity::High,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_is_primary_path.md"),
};
