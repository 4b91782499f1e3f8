//! BA005: batch for throughput.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA005",
    name: "batch-for-throughput",
    category: Category::WritePath,
    severity: Severity::High,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("batch_for_throughput.md"),
};
