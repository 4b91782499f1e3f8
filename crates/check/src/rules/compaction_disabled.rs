//! CP011: compaction disabled.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP011",
    name: "compaction-disabled",
    category: Category::Compaction,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("compaction_disabled.md"),
};
