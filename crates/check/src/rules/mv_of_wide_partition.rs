//! MV011: mv of wide partition.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "MV011",
    name: "mv-of-wide-partition",
    category: Category::View,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("mv_of_wide_partition.md"),
};
