//! CO001: unbounded collection.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO001",
    name: "unbounded-collection",
    category: Category::Types,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("unbounded_collection.md"),
};
