//! CP001: twcs without ttl.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP001",
    name: "twcs-without-ttl",
    category: Category::Compaction,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("twcs_without_ttl.md"),
};
