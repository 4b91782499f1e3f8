//! TO001: removed option.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO001",
    name: "removed-option",
    category: Category::Options,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("removed_option.md"),
};
