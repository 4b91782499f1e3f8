//! TY007: too many columns.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY007",
    name: "too-many-columns",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("too_many_columns.md"),
};
