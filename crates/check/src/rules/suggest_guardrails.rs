//! GR003: suggest guardrails.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "GR003",
    name: "suggest-guardrails",
    category: Category::Profile,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("suggest_guardrails.md"),
};
