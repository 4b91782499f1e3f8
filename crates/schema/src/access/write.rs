//! How INSERT, UPDATE and DELETE write.

use std::sync::Arc;

use cql::types::Type;

use super::Count;
use super::partitions::{NamedKeys, Partitions};
use super::single_row::SingleRowWrite;
use super::slice::ClusteringSlice;
use crate::bind::restrictions::StatementType;
use crate::bind::write::{BoundWrite, Operation, OperationKind, WriteRows};
use crate::catalog::Table;

/// How an INSERT, UPDATE or DELETE writes.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a statement")]
pub struct WritePlan {
    /// The table.
    pub table: Arc<Table>,
    /// Which statement it is.
    pub statement: StatementType,
    /// Which partitions are written to.
    pub partitions: Partitions,
    /// What gives the keys of partitions and rows.
    pub key: WriteKey,
    /// What of each partition.
    pub target: WriteTarget,
    /// The rows by their clustering columns.
    pub rows: ClusteringSlice,
    /// What is done.
    pub effect: WriteEffect,
    /// The columns written or deleted, as positions among the table's; none when whole rows go.
    pub columns: Vec<usize>,
    /// Whether there is an IF clause: a lightweight transaction.
    pub conditional: bool,
    /// Whether stored values are read before it writes: conditions, counters, lists by position or value.
    pub reads_first: bool,
    /// The columns whose stored values say what is written: lists by position or value, numbers and texts added to.
    pub columns_read: Vec<usize>,
    /// `USING TTL`
    pub has_ttl: bool,
    /// `USING TIMESTAMP`
    pub has_timestamp: bool,
    /// The write as one of a single row by its whole key, if it is no more than that.
    pub single_row: Option<SingleRowWrite>,
}

/// What gives the keys that a write is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteKey {
    /// The restrictions of a WHERE clause, or the key columns of INSERT.
    Where(NamedKeys),
    /// A JSON document, which has the whole key.
    Document,
}

/// What of a partition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    /// Rows that are named by their whole key; static columns may be among the columns.
    Rows(Count),
    /// Static columns only.
    Statics,
    /// A range of rows.
    Range,
    /// The whole partition.
    Partition,
}

/// What a write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteEffect {
    /// Sets columns; rows come into being.
    Upsert,
    /// Adds to counters.
    Count,
    /// Deletes columns, elements or fields.
    DeleteColumns,
    /// Deletes rows, a range of them or the partition.
    DeleteRows,
}

/// The access plan of an INSERT, UPDATE or DELETE.
pub fn plan_write(write: &BoundWrite) -> WritePlan {
    let (partitions, key, rows) = match &write.rows {
        WriteRows::Where(restrictions) => (
            Partitions::from_restrictions(restrictions),
            WriteKey::Where(NamedKeys::from_restrictions(restrictions)),
            ClusteringSlice::from_restrictions(restrictions),
        ),
        WriteRows::Key(_) | WriteRows::Document { .. } => {
            (Partitions::One, WriteKey::Document, ClusteringSlice::whole_key(&write.table))
        }
    };
    let columns = distinct_columns(write.operations.iter());
    let needs_row = |one: &&Operation| is_row_needed(&write.table, one);
    let columns_read = distinct_columns(write.operations.iter().filter(needs_row));
    let conditional = write.is_conditional();
    WritePlan {
        table: write.table.clone(),
        statement: write.statement,
        partitions,
        target: target(write, &rows),
        key,
        rows,
        effect: effect(write),
        columns,
        conditional,
        reads_first: conditional || write.table.is_counter() || !columns_read.is_empty(),
        columns_read,
        has_ttl: write.using.ttl.is_some(),
        has_timestamp: write.using.timestamp.is_some(),
        single_row: SingleRowWrite::from_write(write),
    }
}

fn distinct_columns<'a>(operations: impl Iterator<Item = &'a Operation>) -> Vec<usize> {
    let mut columns: Vec<usize> = operations.map(|operation| operation.column).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn target(write: &BoundWrite, rows: &ClusteringSlice) -> WriteTarget {
    let names_none =
        matches!(&write.rows, WriteRows::Where(restrictions) if restrictions.clustering.is_empty());
    if names_none && write.is_static_only() {
        WriteTarget::Statics
    } else if names_none && effect(write) == WriteEffect::DeleteRows {
        WriteTarget::Partition
    } else if write.is_range() {
        WriteTarget::Range
    } else {
        // A row of a compact table may lack the last values of its key.
        WriteTarget::Rows(rows.rows.unwrap_or_else(|| row_count(rows)))
    }
}

fn row_count(rows: &ClusteringSlice) -> Count {
    let mut count = 1_usize;
    for listed in &rows.listed {
        let Count::Known(values) = listed.values else { return Count::Unknown };
        count = count.saturating_mul(values);
    }
    Count::Known(count)
}

fn effect(write: &BoundWrite) -> WriteEffect {
    match write.statement {
        StatementType::Delete if write.operations.is_empty() => WriteEffect::DeleteRows,
        StatementType::Delete => WriteEffect::DeleteColumns,
        _ if write.table.is_counter() => WriteEffect::Count,
        _ => WriteEffect::Upsert,
    }
}

/// Whether what an operation writes depends on what is stored: elements of a list are found by position or value, and what
/// is added to a number or text is added to the stored one.
fn is_row_needed(table: &Table, operation: &Operation) -> bool {
    let Some(column) = table.columns().get(operation.column) else { return false };
    match operation.kind {
        OperationKind::SetElement(..)
        | OperationKind::DeleteElement(_)
        | OperationKind::Subtract(_) => matches!(column.ty, Type::List(..)),
        OperationKind::Add(_) => !column.ty.is_collection() && !column.ty.is_counter(),
        _ => false,
    }
}
