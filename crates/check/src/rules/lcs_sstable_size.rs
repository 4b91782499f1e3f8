//! CP008: lcs sstable size.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP008",
    name: "lcs-sstable-size",
    category: Category::Compaction,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lcs_sstable_size.md"),
};
