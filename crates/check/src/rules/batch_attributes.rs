//! BA009: USING where a batch cannot have it.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA009",
    name: "batch-attributes",
    category: Category::WritePath,
    severity: Severity::Error,
    requires: &[Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("batch_attributes.md"),
};
