//! BA004: batch statement count.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA004",
    name: "batch-statement-count",
    category: Category::WritePath,
    severity: Severity::Medium,
    asks: &[Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("batch_statement_count.md"),
};
