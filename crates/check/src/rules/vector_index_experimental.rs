//! IX021: vector index experimental.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX021",
    name: "vector-index-experimental",
    category: Category::Index,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("vector_index_experimental.md"),
};
