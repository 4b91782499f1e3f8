//! CK006: too many clustering columns.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK006",
    name: "too-many-clustering-columns",
    category: Category::Clustering,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("too_many_clustering_columns.md"),
};
