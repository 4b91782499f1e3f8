//! BA010: logged batch gc grace zero.

use crate::{Asks, Category, Check, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "BA010",
    name: "logged-batch-gc-grace-zero",
    category: Category::WritePath,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Nothing,
    page: include_str!("logged_batch_gc_grace_zero.md"),
};
