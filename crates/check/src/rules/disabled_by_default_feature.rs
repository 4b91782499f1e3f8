//! SV025: disabled by default feature.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV025",
    name: "disabled-by-default-feature",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Server, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("disabled_by_default_feature.md"),
};
