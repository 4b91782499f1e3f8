//! CO012: wide tuple or udt.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO012",
    name: "wide-tuple-or-udt",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("wide_tuple_or_udt.md"),
};
