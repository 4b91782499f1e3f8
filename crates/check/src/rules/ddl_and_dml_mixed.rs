//! MG021: ddl and dml mixed.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG021",
    name: "ddl-and-dml-mixed",
    category: Category::Migration,
    severity: Severity::Low,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("ddl_and_dml_mixed.md"),
};
