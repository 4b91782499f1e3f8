//! IX022: scylla global when local fits.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX022",
    name: "scylla-global-when-local-fits",
    category: Category::Index,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("scylla_global_when_local_fits.md"),
};
