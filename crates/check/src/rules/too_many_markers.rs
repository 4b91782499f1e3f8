//! QV032: too many markers.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QV032",
    name: "too-many-markers",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("too_many_markers.md"),
};
