//! CN006: counter non idempotent retry.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN006",
    name: "counter-non-idempotent-retry",
    category: Category::Counter,
    severity: Severity::Medium,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("counter_non_idempotent_retry.md"),
};
