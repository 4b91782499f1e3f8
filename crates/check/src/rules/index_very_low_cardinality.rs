//! IX002: index very low cardinality.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX002",
    name: "index-very-low-cardinality",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_very_low_cardinality.md"),
};
