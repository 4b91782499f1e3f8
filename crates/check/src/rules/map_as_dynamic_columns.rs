//! CO010: map as dynamic columns.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO010",
    name: "map-as-dynamic-columns",
    category: Category::Types,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("map_as_dynamic_columns.md"),
};
