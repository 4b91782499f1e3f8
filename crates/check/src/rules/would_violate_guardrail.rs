//! GR001: would violate guardrail.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "GR001",
    name: "would-violate-guardrail",
    category: Category::Profile,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes, Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("would_violate_guardrail.md"),
};
