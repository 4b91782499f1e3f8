//! IX018: index on collection mismatch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX018",
    name: "index-on-collection-mismatch",
    category: Category::Index,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_on_collection_mismatch.md"),
};
