//! LW003: needless if not exists.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW003",
    name: "needless-if-not-exists",
    category: Category::WritePath,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("needless_if_not_exists.md"),
};
