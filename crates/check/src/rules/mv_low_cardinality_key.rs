//! MV006: mv low cardinality key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV006",
    name: "mv-low-cardinality-key",
    category: Category::View,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_low_cardinality_key.md"),
};
