//! MV002: mv missing base key.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV002",
    name: "mv-missing-base-key",
    category: Category::View,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("mv_missing_base_key.md"),
};
