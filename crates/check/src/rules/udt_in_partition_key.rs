//! TY008: udt in partition key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY008",
    name: "udt-in-partition-key",
    category: Category::Types,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("udt_in_partition_key.md"),
};
