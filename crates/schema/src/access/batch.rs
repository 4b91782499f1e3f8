//! [`BatchPlan`]: the access plan of a batch.

use std::collections::BTreeSet;
use std::sync::Arc;

use cql::BatchKind;

use super::Count;
use super::write::{WritePlan, plan_write};
use crate::bind::restrictions::{key_of, partition_keys};
use crate::bind::write::{BoundBatch, BoundWrite, WriteRows};
use crate::catalog::Table;

/// The access plan of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPlan {
    /// Logged, unlogged or counter.
    pub kind: BatchKind,
    /// The plans of its statements, in order.
    pub statements: Vec<Arc<WritePlan>>,
    /// The tables it writes to, without duplicates.
    pub tables: Vec<Arc<Table>>,
    /// The number of partitions it writes to. Equal keys in several tables of a keyspace count as
    /// one: the server sends them to the same replicas as one mutation.
    pub partitions: Count,
    /// Whether a statement has an IF clause, which makes the batch one lightweight transaction.
    pub conditional: bool,
}

impl BatchPlan {
    /// The plan of a batch of statements that were planned separately, before values were bound.
    pub fn from_statements(kind: BatchKind, statements: Vec<Arc<WritePlan>>) -> Self {
        let mut tables: Vec<Arc<Table>> = Vec::new();
        for plan in &statements {
            let same = |table: &Arc<Table>| {
                table.keyspace == plan.table.keyspace && table.name == plan.table.name
            };
            if !tables.iter().any(same) {
                tables.push(plan.table.clone());
            }
        }
        let conditional = statements.iter().any(|plan| plan.conditional);
        Self { kind, statements, tables, partitions: Count::Unknown, conditional }
    }
}

/// Builds the access plan of a batch.
pub(crate) fn plan_batch(batch: &BoundBatch) -> BatchPlan {
    let statements = batch.statements.iter().map(|write| plan_write(write).into()).collect();
    let partitions = distinct_partitions(batch).map_or(Count::Unknown, Count::Known);
    BatchPlan { partitions, ..BatchPlan::from_statements(batch.kind, statements) }
}

fn distinct_partitions(batch: &BoundBatch) -> Option<usize> {
    let mut keys = BTreeSet::new();
    for write in &batch.statements {
        let keyspace = &write.table.keyspace;
        for key in keys_of_write(write)? {
            keys.insert((keyspace.clone(), key));
        }
    }
    Some(keys.len())
}

fn keys_of_write(write: &BoundWrite) -> Option<BTreeSet<Vec<u8>>> {
    match &write.rows {
        WriteRows::Where(restrictions) => partition_keys(&restrictions.partition.columns),
        WriteRows::Key(values) => {
            let columns = write.table.partition_key().len();
            let key: Option<Vec<_>> = values.iter().take(columns).map(Option::as_ref).collect();
            Some(BTreeSet::from([key_of(&key?)?]))
        }
        WriteRows::Document { .. } => None,
    }
}
