//! LW001: lwt used.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW001",
    name: "lwt-used",
    category: Category::WritePath,
    severity: Severity::Info,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lwt_used.md"),
};
