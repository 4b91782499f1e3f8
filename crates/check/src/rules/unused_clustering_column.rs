//! CK008: unused clustering column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK008",
    name: "unused-clustering-column",
    category: Category::Clustering,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("unused_clustering_column.md"),
};
