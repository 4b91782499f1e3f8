//! NM002: inconsistent naming.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "NM002",
    name: "inconsistent-naming",
    category: Category::Profile,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("inconsistent_naming.md"),
};
