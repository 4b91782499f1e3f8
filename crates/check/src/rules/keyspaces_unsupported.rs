//! PT001: keyspaces unsupported.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PT001",
    name: "keyspaces-unsupported",
    category: Category::Profile,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("keyspaces_unsupported.md"),
};
