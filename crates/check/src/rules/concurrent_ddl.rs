//! MG008: concurrent ddl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG008",
    name: "concurrent-ddl",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("concurrent_ddl.md"),
};
