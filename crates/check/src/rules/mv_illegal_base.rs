//! MV005: mv illegal base.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV005",
    name: "mv-illegal-base",
    category: Category::View,
    severity: Severity::Error,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Server,
    page: include_str!("mv_illegal_base.md"),
};
