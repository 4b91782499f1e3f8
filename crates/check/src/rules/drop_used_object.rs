//! MG022: drop used object.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG022",
    name: "drop-used-object",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("drop_used_object.md"),
};
