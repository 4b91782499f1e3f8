//! CP012: ucs available.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP012",
    name: "ucs-available",
    category: Category::Compaction,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("ucs_available.md"),
};
