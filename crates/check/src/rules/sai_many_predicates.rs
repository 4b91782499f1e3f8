//! IX012: sai many predicates.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX012",
    name: "sai-many-predicates",
    category: Category::Index,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("sai_many_predicates.md"),
};
