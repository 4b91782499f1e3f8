//! CN007: counter exactness.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN007",
    name: "counter-exactness",
    category: Category::Counter,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("counter_exactness.md"),
};
