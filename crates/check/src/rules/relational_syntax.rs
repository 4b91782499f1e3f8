//! DM012: relational syntax.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM012",
    name: "relational-syntax",
    category: Category::Model,
    severity: Severity::Error,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("relational_syntax.md"),
};
