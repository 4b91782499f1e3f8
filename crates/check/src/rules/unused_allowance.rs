//! HL001: unused allowance.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL001",
    name: "unused-allowance",
    category: Category::Checking,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unused_allowance.md"),
};
