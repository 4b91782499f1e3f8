//! MV005: mv illegal base.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV005",
    name: "mv-illegal-base",
    category: Category::View,
    severity: Severity::Error,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("mv_illegal_base.md"),
};
