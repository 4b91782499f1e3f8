//! DM003: two hop lookup.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM003",
    name: "two-hop-lookup",
    category: Category::Model,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("two_hop_lookup.md"),
};
