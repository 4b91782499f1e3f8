//! PT005: version gated syntax.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PT005",
    name: "version-gated-syntax",
    category: Category::Profile,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("version_gated_syntax.md"),
};
