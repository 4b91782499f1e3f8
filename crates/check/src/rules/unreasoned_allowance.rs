//! HL003: unreasoned allowance.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL003",
    name: "unreasoned-allowance",
    category: Category::Checking,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("unreasoned_allowance.md"),
};
