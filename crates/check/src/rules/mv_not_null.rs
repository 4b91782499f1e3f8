//! MV004: mv not null.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV004",
    name: "mv-not-null",
    category: Category::View,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_not_null.md"),
};
