//! CO003: collection bytes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO003",
    name: "collection-bytes",
    category: Category::Types,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("collection_bytes.md"),
};
