//! CK010: mutable clustering column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK010",
    name: "mutable-clustering-column",
    category: Category::Clustering,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mutable_clustering_column.md"),
};
