//! IX024: index on nullable sparse.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX024",
    name: "index-on-nullable-sparse",
    category: Category::Index,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("index_on_nullable_sparse.md"),
};
