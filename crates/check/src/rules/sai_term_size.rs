//! IX014: sai term size.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX014",
    name: "sai-term-size",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("sai_term_size.md"),
};
