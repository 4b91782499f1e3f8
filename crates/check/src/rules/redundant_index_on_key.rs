//! IX007: redundant index on key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX007",
    name: "redundant-index-on-key",
    category: Category::Index,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("redundant_index_on_key.md"),
};
