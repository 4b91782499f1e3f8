//! PK017: business code key.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "PK017",
    name: "business-code-key",
    category: Category::PartitionKey,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("business_code_key.md"),
};
