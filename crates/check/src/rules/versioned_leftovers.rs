//! NM003: versioned leftovers.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "NM003",
    name: "versioned-leftovers",
    category: Category::Profile,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("versioned_leftovers.md"),
};
