//! IX011: multi 2i predicate.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX011",
    name: "multi-2i-predicate",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("multi_2i_predicate.md"),
};
