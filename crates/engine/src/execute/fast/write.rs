//! INSERT or UPDATE of single-cell columns of one row.

use std::sync::Arc;

use cql::types::NativeType;
use schema::access::WritePlan;
use schema::bind::term::BoundTerm;
use storage::deletion::DeletionTime;
use storage::{Cell, ColumnId, LivenessInfo, Mutation, PartitionUpdate, RowBuilder};

use super::{ColumnInput, clustering, key_inputs, partition_key};
use crate::access_recorder::TargetRecord;
use crate::error::Result;
use crate::metrics::elapsed_since;
use crate::node::AUTH_KEYSPACE;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{MarkerValue, Parameters};
use crate::result::ResultMessage;

/// A write of one row.
#[derive(Clone, Debug)]
pub(crate) struct FastWrite {
    handle: Arc<TableHandle>,
    partition: Vec<ColumnInput>,
    clustering: Vec<ColumnInput>,
    columns: Vec<(ColumnId, ColumnInput)>,
    timestamp: Option<ColumnInput>,
    /// Whether it writes the row's liveness (INSERT).
    inserts: bool,
}

impl FastWrite {
    pub(super) fn for_plan(schema: &Schema, plan: &WritePlan) -> Option<Self> {
        let single = plan.single_row.as_ref()?;
        let handle = schema.handle(&plan.table)?;
        let table = &handle.definition;
        let keyspace = schema.catalog.keyspace(&table.keyspace)?;
        let is_kept_alone = !handle.is_computed && handle.views.is_empty() && handle.view.is_none();
        let is_of_roles = &*keyspace.name == AUTH_KEYSPACE;
        if !is_kept_alone || !keyspace.durable_writes || is_of_roles {
            return None;
        }
        let bigint = NativeType::Bigint.into();
        let timestamp = match &single.timestamp {
            None => None,
            Some(term) => Some(ColumnInput::from_term(term, &bigint)?),
        };
        let column = |(at, term): &(usize, BoundTerm)| {
            let column = table.columns().get(*at)?;
            Some((handle.column_id(*at)?, ColumnInput::from_term(term, &column.ty)?))
        };
        Some(Self {
            partition: key_inputs(&single.row.partition, table.partition_key())?,
            clustering: key_inputs(&single.row.clustering, table.clustering())?,
            columns: single.columns.iter().map(column).collect::<Option<_>>()?,
            timestamp,
            inserts: single.inserts,
            handle: Arc::clone(handle),
        })
    }

    pub(super) fn run<'a>(
        &'a self,
        schema: &SchemaGuard<'_>,
        parameters: &Parameters<'_>,
        values: &[MarkerValue<'a>],
    ) -> Option<Result<ResultMessage>> {
        let started_at = schema.clock().now_micros();
        let key = partition_key(&self.partition, values)?;
        let mut row = RowBuilder::new(clustering(&self.clustering, values)?);
        let timestamp = match &self.timestamp {
            None => parameters.timestamp.unwrap_or_else(|| schema.unique_micros()),
            Some(input) => i64::from_be_bytes(input.bytes(values)?.try_into().ok()?),
        };
        if timestamp == i64::MIN {
            return None;
        }
        if self.inserts {
            row.liveness = LivenessInfo::new(timestamp);
        }
        for (column, input) in &self.columns {
            match input.value(values)? {
                MarkerValue::Bytes(bytes) => row.add(Cell::live(*column, timestamp, bytes)),
                MarkerValue::Unset => {}
                MarkerValue::Null => {
                    let seconds = parameters
                        .now_seconds
                        .unwrap_or_else(|| schema.clock().now_micros().div_euclid(1_000_000));
                    let local_time = i32::try_from(seconds).ok()?;
                    row.add(Cell::tombstone(*column, DeletionTime { timestamp, local_time }));
                }
            }
        }
        if let Some(recorder) = parameters.recorder {
            let is_only_row = self.clustering.is_empty();
            let target = if is_only_row { TargetRecord::Partition } else { TargetRecord::Rows(1) };
            recorder.record_write(vec![key.key().into()], target);
        }
        let mut update = PartitionUpdate::new(key);
        if !row.is_empty() {
            update.rows.push(row.build(&self.handle.layout));
            let mutation = Mutation { table: self.handle.id, update };
            if let Err(failure) = schema.apply(std::slice::from_ref(&mutation)) {
                return Some(Err(failure));
            }
            let writes = &self.handle.metrics.histograms().writes;
            writes.add(elapsed_since(started_at, schema.clock().now_micros()));
        }
        Some(Ok(ResultMessage::Void))
    }
}
