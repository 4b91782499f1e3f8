//! MG017: udt change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG017",
    name: "udt-change",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("udt_change.md"),
};
