//! BA008: conditions in a batch over several partitions or tables.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA008",
    name: "batch-conditions",
    category: Category::WritePath,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_conditions.md"),
};
