//! MG015: re add dropped column.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG015",
    name: "re-add-dropped-column",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("re_add_dropped_column.md"),
};
