//! CK012: floating key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CK012",
    name: "floating-key",
    category: Category::Clustering,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("floating_key.md"),
};
