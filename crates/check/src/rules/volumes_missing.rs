//! DM011: volumes missing.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM011",
    name: "volumes-missing",
    category: Category::Model,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("volumes_missing.md"),
};
