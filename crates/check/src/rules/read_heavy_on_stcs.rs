//! CP006: read heavy on stcs.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CP006",
    name: "read-heavy-on-stcs",
    category: Category::Compaction,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("read_heavy_on_stcs.md"),
};
