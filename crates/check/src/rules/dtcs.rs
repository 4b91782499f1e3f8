//! CP007: dtcs.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP007",
    name: "dtcs",
    category: Category::Compaction,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("dtcs.md"),
};
