//! KS007: too many keyspaces.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS007",
    name: "too-many-keyspaces",
    category: Category::Options,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("too_many_keyspaces.md"),
};
