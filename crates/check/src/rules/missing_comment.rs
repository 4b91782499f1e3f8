//! TO010: missing comment.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TO010",
    name: "missing-comment",
    category: Category::Options,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("missing_comment.md"),
};
