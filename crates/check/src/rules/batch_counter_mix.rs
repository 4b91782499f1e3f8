//! BA007: counters and other tables in one batch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA007",
    name: "batch-counter-mix",
    category: Category::WritePath,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_counter_mix.md"),
};
