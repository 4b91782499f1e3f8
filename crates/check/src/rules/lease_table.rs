//! LW006: lease table.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW006",
    name: "lease-table",
    category: Category::WritePath,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lease_table.md"),
};
