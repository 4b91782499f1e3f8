//! TY002: cross table type mismatch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY002",
    name: "cross-table-type-mismatch",
    category: Category::Types,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("cross_table_type_mismatch.md"),
};
