//! BA003: batch bytes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA003",
    name: "batch-bytes",
    category: Category::WritePath,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("batch_bytes.md"),
};
