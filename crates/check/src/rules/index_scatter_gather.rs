//! IX004: index scatter gather.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX004",
    name: "index-scatter-gather",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_scatter_gather.md"),
};
