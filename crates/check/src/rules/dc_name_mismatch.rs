//! KS005: dc name mismatch.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS005",
    name: "dc-name-mismatch",
    category: Category::Options,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("dc_name_mismatch.md"),
};
