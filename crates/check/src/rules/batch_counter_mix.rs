//! BA007: counters and other tables in one batch.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA007",
    name: "batch-counter-mix",
    category: Category::WritePath,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_counter_mix.md"),
};
