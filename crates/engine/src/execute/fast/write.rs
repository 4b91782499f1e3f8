//! INSERT or UPDATE of one row of plain columns.

use std::sync::Arc;

use schema::bind::restrictions::StatementType;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundWrite, Operation, OperationKind, Rows};
use schema::catalog::ColumnKind;
use storage::deletion::Deletion;
use storage::{Cell, ColumnId, Liveness, Mutation, PartitionUpdate, RowBuilder};

use super::{Input, clustering, fixed, partition};
use crate::answer::Outcome;
use crate::error::Result;
use crate::node::AUTH_KEYSPACE;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{Parameters, Value};

/// A write of one row.
#[derive(Clone, Debug)]
pub(crate) struct FastWrite {
    handle: Arc<TableHandle>,
    partition: Vec<Input>,
    clustering: Vec<Input>,
    columns: Vec<(ColumnId, Input)>,
    timestamp: Option<Input>,
    /// An INSERT brings the row itself.
    inserts: bool,
}

impl FastWrite {
    pub(super) fn of(schema: &Schema, write: &BoundWrite) -> Option<Self> {
        let handle = schema.handle(&write.table)?;
        let table = &handle.definition;
        let keyspace = schema.catalog.keyspace(&table.keyspace)?;
        let is_plain = !handle.is_computed
            && handle.views.is_empty()
            && handle.indexes.is_empty()
            && handle.view.is_none()
            && table.triggers.is_empty()
            && table.params.default_time_to_live == 0
            && keyspace.durable_writes
            && &*keyspace.name != AUTH_KEYSPACE
            && !table.is_compact()
            && !write.is_conditional()
            && write.statement != StatementType::Delete
            && write.using.ttl.is_none();
        let Rows::Where(restrictions) = &write.rows else { return None };
        if !is_plain || restrictions.partition.token.is_some() {
            return None;
        }
        let bigint = cql::types::NativeType::Bigint.into();
        let timestamp = match &write.using.timestamp {
            None => None,
            Some((term, _)) => Some(Input::of(term, &bigint)?),
        };
        let column = |operation: &Operation| Self::column(handle, operation);
        Some(Self {
            partition: fixed(&restrictions.partition.columns, table.partition_key())?,
            clustering: fixed(&restrictions.clustering, table.clustering())?,
            columns: write.operations.iter().map(column).collect::<Option<_>>()?,
            timestamp,
            inserts: write.statement == StatementType::Insert,
            handle: Arc::clone(handle),
        })
    }

    fn column(handle: &TableHandle, operation: &Operation) -> Option<(ColumnId, Input)> {
        let column = handle.definition.columns().get(operation.column)?;
        let is_plain = column.kind == ColumnKind::Regular
            && !column.is_multi_cell()
            && !column.ty.is_counter();
        match &operation.kind {
            OperationKind::Set(term @ (BoundTerm::Marker(_) | BoundTerm::Value(Some(_))))
                if is_plain =>
            {
                Some((handle.column_id(operation.column)?, Input::of(term, &column.ty)?))
            }
            _ => None,
        }
    }

    pub(super) fn run<'a>(
        &'a self,
        schema: &SchemaGuard<'_>,
        parameters: &Parameters<'_>,
        values: &[Value<'a>],
    ) -> Option<Result<Outcome>> {
        let key = partition(&self.partition, values)?;
        let mut row = RowBuilder::new(clustering(&self.clustering, values)?);
        let timestamp = match &self.timestamp {
            None => parameters.timestamp.unwrap_or_else(|| schema.unique_micros()),
            Some(input) => i64::from_be_bytes(input.bytes(values)?.try_into().ok()?),
        };
        if timestamp == i64::MIN {
            return None;
        }
        if self.inserts {
            row.liveness = Liveness::at(timestamp);
        }
        for (column, input) in &self.columns {
            match input.value(values)? {
                Value::Bytes(bytes) => row.add(Cell::live(*column, timestamp, bytes)),
                Value::Unset => {}
                Value::Null => {
                    let seconds = parameters
                        .now_seconds
                        .unwrap_or_else(|| schema.clock().now_micros().div_euclid(1_000_000));
                    let local_time = i32::try_from(seconds).ok()?;
                    row.add(Cell::tombstone(*column, Deletion { timestamp, local_time }));
                }
            }
        }
        let mut update = PartitionUpdate::new(key);
        if !row.is_empty() {
            update.rows.push(row.build(&self.handle.layout));
            let mutation = Mutation { table: self.handle.id, update };
            if let Err(failure) = schema.apply(std::slice::from_ref(&mutation)) {
                return Some(Err(failure));
            }
        }
        Some(Ok(Outcome::Void))
    }
}
