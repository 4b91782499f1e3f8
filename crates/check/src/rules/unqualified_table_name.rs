//! QP016: unqualified table name.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP016",
    name: "unqualified-table-name",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("unqualified_table_name.md"),
};
