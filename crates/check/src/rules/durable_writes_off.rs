//! KS004: durable writes off.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS004",
    name: "durable-writes-off",
    category: Category::Options,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("durable_writes_off.md"),
};
