//! CO008: collection could be frozen.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO008",
    name: "collection-could-be-frozen",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("collection_could_be_frozen.md"),
};
