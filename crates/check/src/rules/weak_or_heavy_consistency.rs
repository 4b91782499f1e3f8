//! QP020: weak or heavy consistency.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP020",
    name: "weak-or-heavy-consistency",
    category: Category::QueryPerformance,
    severity: Severity::Info,
    asks: &[Asks::Queries, Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("weak_or_heavy_consistency.md"),
};
