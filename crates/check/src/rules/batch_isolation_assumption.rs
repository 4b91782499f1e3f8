//! BA006: batch isolation assumption.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA006",
    name: "batch-isolation-assumption",
    category: Category::WritePath,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("batch_isolation_assumption.md"),
};
