//! IX010: an index that is asked for and is not there.

use crate::{Category, Check, Requirement, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX010",
    name: "missing-index-or-table",
    category: Category::Index,
    severity: Severity::High,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("missing_index_or_table.md"),
};
