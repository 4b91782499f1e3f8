//! LW004: IN or a timestamp in a conditional write.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW004",
    name: "lwt-with-in-or-timestamp",
    category: Category::WritePath,
    severity: Severity::Error,
    requires: &[Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("lwt_with_in_or_timestamp.md"),
};
