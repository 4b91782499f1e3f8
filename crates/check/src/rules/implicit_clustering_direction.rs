//! CK017: implicit clustering direction.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK017",
    name: "implicit-clustering-direction",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("implicit_clustering_direction.md"),
};
