//! CK013: opaque clustering type.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK013",
    name: "opaque-clustering-type",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("opaque_clustering_type.md"),
};
