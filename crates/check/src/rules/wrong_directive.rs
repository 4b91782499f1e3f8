//! HL004: wrong directive.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "HL004",
    name: "wrong-directive",
    category: Category::Checking,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("wrong_directive.md"),
};
