//! MG020: non idempotent script.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG020",
    name: "non-idempotent-script",
    category: Category::Migration,
    severity: Severity::Low,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("non_idempotent_script.md"),
};
