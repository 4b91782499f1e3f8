//! MV007: mv volatile key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV007",
    name: "mv-volatile-key",
    category: Category::View,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_volatile_key.md"),
};
