//! DM014: search requirement.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM014",
    name: "search-requirement",
    category: Category::Model,
    severity: Severity::Medium,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("search_requirement.md"),
};
