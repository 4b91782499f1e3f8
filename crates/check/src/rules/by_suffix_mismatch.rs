//! DM009: by suffix mismatch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM009",
    name: "by-suffix-mismatch",
    category: Category::Model,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("by_suffix_mismatch.md"),
};
