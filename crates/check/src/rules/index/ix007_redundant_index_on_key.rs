//! IX007: an index on a clustering column.

use schema::catalog::ColumnKind;

use crate::facts::workload::index_reads;
use crate::vocabulary::times::is_time;

use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix007_redundant_index_on_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    for index in &table.indexes {
        let Some(column) = table.column(&index.column).filter(|column| column.is_primary_key())
        else {
            continue;
        };
        let reads = index_reads(project, facts, index);
        if !reads.scattered.is_empty() || !reads.within.is_empty() {
            continue;
        }
        // An index on a part of the partition key is for queries without the rest (IX004).
        let is_known = !facts.reads.is_empty();
        let is_sure = is_known || column.position == 0 && is_time(column);
        if column.kind != ColumnKind::Clustering || !is_sure {
            continue;
        }
        let confidence = if is_known { Confidence::High } else { Confidence::Medium };
        reporter
            .report(
                project.index_location(facts, index),
                format!("The indexed column `{}` is already in the primary key.", column.name),
            )
            .with_column(table, column)
            .confidence(confidence)
            .help(format!("drop the index: DROP INDEX {}", cql::printer::identifier(&index.name)));
    }
}
