//! IX019: third party index.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX019",
    name: "third-party-index",
    category: Category::Index,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("third_party_index.md"),
};
