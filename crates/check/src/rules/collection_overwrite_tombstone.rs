//! CO007: collection overwrite tombstone.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO007",
    name: "collection-overwrite-tombstone",
    category: Category::Types,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("collection_overwrite_tombstone.md"),
};
