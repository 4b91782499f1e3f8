//! LW002: lwt mixed with plain writes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "LW002",
    name: "lwt-mixed-with-plain-writes",
    category: Category::WritePath,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lwt_mixed_with_plain_writes.md"),
};
