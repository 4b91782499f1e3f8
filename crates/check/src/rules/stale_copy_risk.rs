//! DM007: stale copy risk.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM007",
    name: "stale-copy-risk",
    category: Category::Model,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("stale_copy_risk.md"),
};
