//! KS008: table per tenant or period.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS008",
    name: "table-per-tenant-or-period",
    category: Category::Options,
    severity: Severity::Medium,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("table_per_tenant_or_period.md"),
};
