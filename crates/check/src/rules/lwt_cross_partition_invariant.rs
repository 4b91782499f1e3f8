//! LW007: lwt cross partition invariant.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW007",
    name: "lwt-cross-partition-invariant",
    category: Category::WritePath,
    severity: Severity::Medium,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lwt_cross_partition_invariant.md"),
};
