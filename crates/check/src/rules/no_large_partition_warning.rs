//! GR002: no large partition warning.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "GR002",
    name: "no-large-partition-warning",
    category: Category::Profile,
    severity: Severity::Info,
    asks: &[Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("no_large_partition_warning.md"),
};
