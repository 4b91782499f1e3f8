//! KS009: nts auto expansion.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS009",
    name: "nts-auto-expansion",
    category: Category::Options,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("nts_auto_expansion.md"),
};
