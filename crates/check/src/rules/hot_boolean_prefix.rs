//! CK016: hot boolean prefix.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK016",
    name: "hot-boolean-prefix",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("hot_boolean_prefix.md"),
};
