//! IX016: legacy 2i on 5.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX016",
    name: "legacy-2i-on-5",
    category: Category::Index,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("legacy_2i_on_5.md"),
};
