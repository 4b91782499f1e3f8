//! PK012: compound vs composite confusion.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK012",
    name: "compound-vs-composite-confusion",
    category: Category::PartitionKey,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("compound_vs_composite_confusion.md"),
};
