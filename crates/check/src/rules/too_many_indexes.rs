//! IX008: too many indexes.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX008",
    name: "too-many-indexes",
    category: Category::Index,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("too_many_indexes.md"),
};
