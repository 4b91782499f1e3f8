//! PT002: astra unsupported.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PT002",
    name: "astra-unsupported",
    category: Category::Profile,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("astra_unsupported.md"),
};
