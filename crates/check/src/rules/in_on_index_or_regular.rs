//! QV034: in on index or regular.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV034",
    name: "in-on-index-or-regular",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("in_on_index_or_regular.md"),
};
