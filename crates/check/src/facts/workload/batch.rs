//! What a batch asks of its coordinator: partitions and bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cql::StatementKind;
use cql::statement::write::WriteKind;
use cql::term::TermKind;
use schema::access::{AccessPlan, BatchPlan, Count, Partitions, WritePlan};
use schema::catalog::Table;

use super::mutation_size::{SentBytes, statement_bytes};
use super::statement_values::column_value;
use crate::{Project, ReplayedStatement};

/// More values of a list than these are counted as these.
const VALUES_MAX: usize = 100_000;

/// What a batch does.
#[derive(Debug)]
pub(crate) struct BatchWork<'p> {
    /// Its statements as they run.
    pub(crate) plan: &'p BatchPlan,
    /// Partitions that it writes to: as the keys are written, where markers hide them. Equal keys in tables of one keyspace are one.
    pub(crate) partitions: usize,
    /// The most partitions that it writes of one table.
    pub(crate) of_one_table: usize,
    /// Bytes that it sends, as the server counts them.
    pub(crate) bytes: f64,
    /// Whether all sizes are fixed by their types, written, or declared.
    pub(crate) bytes_are_known: bool,
}

/// What a batch does; `None` for any other statement.
pub(crate) fn batch_work<'p>(
    project: &'p Project<'_>,
    seen: &'p ReplayedStatement,
) -> Option<BatchWork<'p>> {
    let AccessPlan::Batch(plan) = seen.plan()? else { return None };
    let StatementKind::Batch(syntax) = &project.syntax(seen)?.kind else { return None };
    let text = project.texts.get(seen.place.text)?.text;
    let mut keys = BTreeSet::new();
    let mut tables: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    let mut sent = SentBytes::exact(0.0);
    for (write, statement) in plan.statements.iter().zip(&syntax.statements) {
        let table = &*write.table;
        let known = tables.entry((&table.keyspace, &table.name)).or_default();
        for mut key in keys_of(write, &statement.kind, text) {
            // Nobody inserts the same row twice: markers for a whole key stand for another row each time.
            if table.clustering().is_empty()
                && matches!(statement.kind, WriteKind::Insert(_))
                && known.contains(&key)
            {
                let _ = write!(key, "\u{1f}{}", known.len());
            }
            known.insert(key.clone());
            keys.insert((&*table.keyspace, key));
        }
        sent.add(statement_bytes(project, write, &statement.kind));
    }
    let partitions = match plan.partitions {
        Count::Known(known) => known,
        Count::Unknown => keys.len(),
    };
    let of_one_table = tables.values().map(BTreeSet::len).max().unwrap_or_default();
    Some(BatchWork {
        plan,
        partitions,
        of_one_table,
        bytes: sent.bytes,
        bytes_are_known: sent.is_known,
    })
}

/// The partition keys of a write, as they are written.
fn keys_of(write: &WritePlan, kind: &WriteKind, text: &str) -> Vec<String> {
    let key = key_text(&write.table, kind, text);
    match write.partitions {
        Partitions::Several(Count::Known(several)) => {
            (0..several.min(VALUES_MAX)).map(|at| format!("{key} {at}")).collect()
        }
        Partitions::Several(Count::Unknown) => vec![format!("{key} 0"), format!("{key} 1")],
        _ => vec![key],
    }
}

/// A partition key as it is written. Of a marker without a name the column's name is taken: statements for one thing give its key to each.
fn key_text(table: &Table, kind: &WriteKind, text: &str) -> String {
    let mut key = String::new();
    for column in table.partition_key() {
        match column_value(kind, &column.name) {
            Some(term) if !matches!(&term.kind, TermKind::Marker(marker) if marker.name.is_none()) =>
            {
                key.push_str(term.span.text(text));
            }
            _ => key.push_str(&column.name),
        }
        key.push('\u{1f}');
    }
    key
}
