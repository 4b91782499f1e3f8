//! CN009: lossy manual counter.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CN009",
    name: "lossy-manual-counter",
    category: Category::Counter,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("lossy_manual_counter.md"),
};
