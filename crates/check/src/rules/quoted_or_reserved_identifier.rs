//! NM001: quoted or reserved identifier.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "NM001",
    name: "quoted-or-reserved-identifier",
    category: Category::Profile,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("quoted_or_reserved_identifier.md"),
};
