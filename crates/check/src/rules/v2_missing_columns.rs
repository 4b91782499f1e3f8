//! MG019: v2 missing columns.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG019",
    name: "v2-missing-columns",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("v2_missing_columns.md"),
};
