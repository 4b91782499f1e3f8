//! QP024: read modify write.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP024",
    name: "read-modify-write",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("read_modify_write.md"),
};
