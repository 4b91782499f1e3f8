//! CN004: counter lwt.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN004",
    name: "counter-lwt",
    category: Category::Counter,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("counter_lwt.md"),
};
