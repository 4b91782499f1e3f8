//! BA008: conditions in a batch over several partitions or tables.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA008",
    name: "batch-conditions",
    category: Category::WritePath,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_conditions.md"),
};
