//! DM008: write amplification.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM008",
    name: "write-amplification",
    category: Category::Model,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("write_amplification.md"),
};
