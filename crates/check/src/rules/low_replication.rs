//! KS002: low replication.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS002",
    name: "low-replication",
    category: Category::Options,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("low_replication.md"),
};
