//! BA009: USING where a batch cannot have it.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA009",
    name: "batch-attributes",
    category: Category::WritePath,
    severity: Severity::Error,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_attributes.md"),
};
