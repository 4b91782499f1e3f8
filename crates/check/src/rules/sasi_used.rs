//! IX015: sasi used.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX015",
    name: "sasi-used",
    category: Category::Index,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("sasi_used.md"),
};
