//! CK011: nullable clustering.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK011",
    name: "nullable-clustering",
    category: Category::Clustering,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("nullable_clustering.md"),
};
