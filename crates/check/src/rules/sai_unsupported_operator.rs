//! IX013: sai unsupported operator.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX013",
    name: "sai-unsupported-operator",
    category: Category::Index,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("sai_unsupported_operator.md"),
};
