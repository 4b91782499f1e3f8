//! TY010: varchar text mix.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY010",
    name: "varchar-text-mix",
    category: Category::Types,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("varchar_text_mix.md"),
};
