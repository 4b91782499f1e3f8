//! KS001: simple strategy.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS001",
    name: "simple-strategy",
    category: Category::Options,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("simple_strategy.md"),
};
