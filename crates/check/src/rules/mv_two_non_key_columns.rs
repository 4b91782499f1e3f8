//! MV003: mv two non key columns.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV003",
    name: "mv-two-non-key-columns",
    category: Category::View,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("mv_two_non_key_columns.md"),
};
