//! CP005: lcs write heavy.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP005",
    name: "lcs-write-heavy",
    category: Category::Compaction,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lcs_write_heavy.md"),
};
