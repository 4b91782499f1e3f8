//! MG010: compaction change.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MG010",
    name: "compaction-change",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("compaction_change.md"),
};
