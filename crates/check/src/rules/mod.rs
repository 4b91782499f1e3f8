//! The rule book: a chapter for each family of codes, and in it a page and, where the binder does
//! not find it already, a file for each rule: `partition_size/ps002_partition_bytes.{rs,md}`.
//!
//! A rule is identified by its code. Its name, severity, category and requirements are in the head
//! of its page, and nowhere else; its chapter lists it.

mod batch;
mod checking;
mod clustering;
mod collection;
mod compaction;
mod counter;
pub(crate) mod data_model;
mod data_type;
mod guardrail;
mod index;
mod keyspace;
mod lightweight_transaction;
mod materialized_view;
mod migration;
mod naming;
mod partition_key;
mod partition_size;
mod portability;
mod query_performance;
mod query_validity;
mod schema_validity;
mod syntax;
mod table_option;
mod tombstone;

use std::sync::LazyLock;

use crate::{Rule, RuleEntry};

/// The chapters.
const CHAPTERS: &[&[RuleEntry]] = &[
    batch::RULES,
    checking::RULES,
    clustering::RULES,
    collection::RULES,
    compaction::RULES,
    counter::RULES,
    data_model::RULES,
    data_type::RULES,
    guardrail::RULES,
    index::RULES,
    keyspace::RULES,
    lightweight_transaction::RULES,
    materialized_view::RULES,
    migration::RULES,
    naming::RULES,
    partition_key::RULES,
    partition_size::RULES,
    portability::RULES,
    query_performance::RULES,
    query_validity::RULES,
    schema_validity::RULES,
    syntax::RULES,
    table_option::RULES,
    tombstone::RULES,
];

/// All rules, by code. A page without a proper head is left out; a test finds it.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut rules: Vec<Rule> = entries().filter_map(Rule::from_entry).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
});

fn entries() -> impl Iterator<Item = &'static RuleEntry> {
    CHAPTERS.iter().copied().flatten()
}

/// All rules, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter()
}

/// The rule of a code.
pub fn find(code: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
    RULES.get(at)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_page_has_its_head() {
        assert!(super::entries().count() > 300, "the rule book is empty");
        for entry in super::entries() {
            let title = entry.page.lines().next().unwrap_or_default();
            assert!(
                crate::Rule::from_entry(entry).is_some(),
                "{title}: its second line is not `severity, category, on by default; needs ...`"
            );
        }
    }
}
