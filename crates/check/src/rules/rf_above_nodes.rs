//! KS003: rf above nodes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS003",
    name: "rf-above-nodes",
    category: Category::Options,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("rf_above_nodes.md"),
};
