//! SV023: sai target.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "SV023",
    name: "sai-target",
    category: Category::SchemaValidity,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("sai_target.md"),
};
