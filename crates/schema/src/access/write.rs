//! [`WritePlan`]: the access plan of an INSERT, UPDATE or DELETE.

use std::sync::Arc;

use cql::types::Type;

use super::Count;
use super::partitions::{NamedKeys, Partitions};
use super::single_row::SingleRowWrite;
use super::slice::ClusteringSlice;
use crate::bind::restrictions::StatementType;
use crate::bind::write::{BoundWrite, Operation, OperationKind, WriteRows};
use crate::catalog::Table;

/// The access plan of an INSERT, UPDATE or DELETE.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a statement")]
pub struct WritePlan {
    /// The table that is written.
    pub table: Arc<Table>,
    /// The kind of statement.
    pub statement: StatementType,
    /// Which partitions are written to.
    pub partitions: Partitions,
    /// Where the keys of partitions and rows come from.
    pub key: WriteKey,
    /// What is written of each partition.
    pub target: WriteTarget,
    /// The rows by their clustering columns.
    pub rows: ClusteringSlice,
    /// What the statement does to them.
    pub effect: WriteEffect,
    /// The columns written or deleted, as positions among the table's; empty when whole rows are
    /// deleted.
    pub columns: Vec<usize>,
    /// Whether there is an IF clause: a lightweight transaction.
    pub conditional: bool,
    /// Whether it reads before it writes: for conditions, counters, and [`Self::columns_read`].
    pub reads_first: bool,
    /// The columns whose stored values are needed to compute the new ones: lists changed by
    /// position or value, numbers and texts that are added to.
    pub columns_read: Vec<usize>,
    /// `USING TTL`
    pub has_ttl: bool,
    /// `USING TIMESTAMP`
    pub has_timestamp: bool,
    /// The write of a single row by its full key, if the statement is one.
    pub single_row: Option<SingleRowWrite>,
}

/// Where the keys of a write come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteKey {
    /// The restrictions of a WHERE clause, or the key columns of INSERT.
    Where(NamedKeys),
    /// A JSON document, which has the full key.
    Document,
}

/// What of a partition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    /// Rows named by their full key; static columns may be among the columns.
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
    /// Sets columns, and creates rows that do not exist.
    Upsert,
    /// Adds to counters.
    Count,
    /// Deletes columns, elements or fields.
    DeleteColumns,
    /// Deletes rows, a range of them or the partition.
    DeleteRows,
}

/// Builds the access plan of an INSERT, UPDATE or DELETE.
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
    let needs_row = |operation: &&Operation| is_row_needed(&write.table, operation);
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
    let names_no_rows =
        matches!(&write.rows, WriteRows::Where(restrictions) if restrictions.clustering.is_empty());
    if names_no_rows && write.is_static_only() {
        WriteTarget::Statics
    } else if names_no_rows && effect(write) == WriteEffect::DeleteRows {
        WriteTarget::Partition
    } else if write.is_range() {
        WriteTarget::Range
    } else {
        // A row of a table with COMPACT STORAGE may lack the last values of its key.
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

/// Whether the result of an operation depends on the stored value: elements of a list are located
/// by position or value, and numbers and texts are added to the stored one. Counters are not among
/// them: they are always read first.
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
