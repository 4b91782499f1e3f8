//! The access paths of writes and batches.

use std::collections::BTreeSet;
use std::sync::Arc;

use cql::types::Type;

use super::read::{clustering_slice, partitions};
use super::{BatchPath, ClusteringSlice, Count, Partitions, WriteEffect, WritePath, WriteTarget};
use crate::bind::restrictions::{StatementType, key_of, partition_keys};
use crate::bind::write::{BoundBatch, BoundWrite, OperationKind, Rows};
use crate::catalog::Table;

/// The access path of an INSERT, UPDATE or DELETE.
pub fn write(write: &BoundWrite) -> WritePath {
    let rows = match &write.rows {
        Rows::Where(restrictions) => clustering_slice(&restrictions.clustering, &write.table),
        Rows::Key(_) | Rows::Document { .. } => whole_key(&write.table),
    };
    let mut columns: Vec<usize> =
        write.operations.iter().map(|operation| operation.column).collect();
    columns.sort_unstable();
    columns.dedup();
    WritePath {
        table: write.table.clone(),
        statement: write.statement,
        partitions: match &write.rows {
            Rows::Where(restrictions) => partitions(restrictions),
            Rows::Key(_) | Rows::Document { .. } => Partitions::One,
        },
        target: target(write, &rows),
        rows,
        effect: effect(write),
        columns,
        conditional: write.is_conditional(),
        reads_first: write.is_conditional() || write.table.is_counter() || reads_lists(write),
        has_ttl: write.using.ttl.is_some(),
        has_timestamp: write.using.timestamp.is_some(),
    }
}

/// The access path of a batch.
pub fn batch(batch: &BoundBatch) -> BatchPath {
    let mut tables: Vec<Arc<Table>> = Vec::new();
    for write in &batch.statements {
        let same = |table: &Arc<Table>| {
            table.keyspace == write.table.keyspace && table.name == write.table.name
        };
        if !tables.iter().any(same) {
            tables.push(write.table.clone());
        }
    }
    BatchPath {
        kind: batch.kind,
        statements: batch.statements.iter().map(write).collect(),
        tables,
        partitions: distinct_partitions(batch).map_or(Count::Unknown, Count::Known),
        conditional: batch.is_conditional(),
    }
}

fn whole_key(table: &Table) -> ClusteringSlice {
    let start = table.partition_key().len();
    let equal = (start..start + table.clustering().len()).collect();
    ClusteringSlice { equal, rows: Some(Count::Known(1)), ..ClusteringSlice::default() }
}

fn target(write: &BoundWrite, rows: &ClusteringSlice) -> WriteTarget {
    let names_none =
        matches!(&write.rows, Rows::Where(restrictions) if restrictions.clustering.is_empty());
    if write.only_statics() {
        WriteTarget::Statics
    } else if effect(write) == WriteEffect::DeleteRows && names_none {
        WriteTarget::Partition
    } else {
        rows.rows.map_or(WriteTarget::Range, WriteTarget::Rows)
    }
}

fn effect(write: &BoundWrite) -> WriteEffect {
    match write.statement {
        StatementType::Delete if write.operations.is_empty() => WriteEffect::DeleteRows,
        StatementType::Delete => WriteEffect::DeleteColumns,
        _ if write.table.is_counter() => WriteEffect::Count,
        _ => WriteEffect::Upsert,
    }
}

/// Elements of a list are found by position or value, so the list is read first.
fn reads_lists(write: &BoundWrite) -> bool {
    write.operations.iter().any(|operation| {
        matches!(write.table.columns()[operation.column].ty, Type::List(..))
            && matches!(
                operation.kind,
                OperationKind::SetElement(..)
                    | OperationKind::DeleteElement(_)
                    | OperationKind::Subtract(_)
            )
    })
}

fn distinct_partitions(batch: &BoundBatch) -> Option<usize> {
    let mut keys = BTreeSet::new();
    for write in &batch.statements {
        let keyspace = &write.table.keyspace;
        for key in written_keys(write)? {
            keys.insert((keyspace.clone(), key));
        }
    }
    Some(keys.len())
}

fn written_keys(write: &BoundWrite) -> Option<BTreeSet<Vec<u8>>> {
    match &write.rows {
        Rows::Where(restrictions) => partition_keys(&restrictions.partition.columns),
        Rows::Key(values) => {
            let columns = write.table.partition_key().len();
            let key: Option<Vec<_>> = values.iter().take(columns).map(Option::as_ref).collect();
            Some(BTreeSet::from([key_of(&key?)?]))
        }
        Rows::Document { .. } => None,
    }
}
