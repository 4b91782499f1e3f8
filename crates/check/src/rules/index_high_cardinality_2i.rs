//! IX001: index high cardinality 2i.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX001",
    name: "index-high-cardinality-2i",
    category: Category::Index,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_high_cardinality_2i.md"),
};
