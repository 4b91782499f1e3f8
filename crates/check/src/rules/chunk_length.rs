//! TO004: chunk length.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO004",
    name: "chunk-length",
    category: Category::Options,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("chunk_length.md"),
};
