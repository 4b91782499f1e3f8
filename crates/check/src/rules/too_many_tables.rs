//! KS006: too many tables.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS006",
    name: "too-many-tables",
    category: Category::Options,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("too_many_tables.md"),
};
