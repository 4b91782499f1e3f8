//! BA007: batch counter mix.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA007",
    name: "batch-counter-mix",
    category: Category::WritePath,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("batch_counter_mix.md"),
};
