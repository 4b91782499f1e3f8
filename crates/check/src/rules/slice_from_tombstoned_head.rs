//! QP021: slice from tombstoned head.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP021",
    name: "slice-from-tombstoned-head",
    category: Category::QueryPerformance,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("slice_from_tombstoned_head.md"),
};
