//! CP002: twcs window count.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP002",
    name: "twcs-window-count",
    category: Category::Compaction,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("twcs_window_count.md"),
};
