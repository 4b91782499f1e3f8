//! DM004: one table for many queries.

use std::collections::BTreeSet;

use schema::access::{FilterScope, ReadPlan};
use schema::catalog::Table;

use crate::facts::tables::is_registry;
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

const PATTERNS: Limit =
    Limit::new("access-patterns", 3.0).describe("number of kinds of queries on one table");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm004_one_table_many_patterns.md"), Check::Table(check))
        .with_limits(&[PATTERNS]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if is_registry(facts) {
        return;
    }
    let mut patterns = BTreeSet::new();
    let mut scattered = BTreeSet::new();
    for read in facts.reads(project).filter_map(ReplayedStatement::read) {
        let Some(pattern) = query_pattern(table, read) else { continue };
        if !read.partitions.is_by_key() {
            scattered.insert(pattern.clone());
        }
        patterns.insert(pattern);
    }
    let many =
        f64::from(u32::try_from(patterns.len()).unwrap_or(u32::MAX)) >= reporter.limit(&PATTERNS);
    if !many || scattered.is_empty() {
        return;
    }
    let message = format!(
        "{} serves {} kinds of queries, {} of them by querying every node.",
        table.name,
        patterns.len(),
        scattered.len()
    );
    let all: Vec<String> = patterns.into_iter().collect();
    reporter.report(facts.place, message).with_table(table).note(all.join("; ")).help(format!(
        "create a table for each frequent query, with its columns as the partition key: {}_by_...",
        table.name
    ));
}

/// The access path of a read; `None` for a full scan.
fn query_pattern(table: &Table, read: &ReadPlan) -> Option<String> {
    let named = |columns: &[usize]| {
        let names: Vec<&str> = columns
            .iter()
            .filter_map(|at| table.columns().get(*at))
            .map(|column| &*column.name)
            .collect();
        names.join(", ")
    };
    let filtered = read.filtering.scope != FilterScope::None;
    match &read.index {
        Some(index) => Some(format!("through an index on {}", named(&index.columns))),
        None if filtered => Some(format!("by filtering {}", named(&read.filtering.columns))),
        None if read.partitions.is_by_key() => Some("by the partition key".to_owned()),
        None => None,
    }
}
