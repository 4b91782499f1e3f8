//! SELECT of single-cell columns of one row by its full key.

use std::sync::Arc;

use schema::access::ReadPlan;
use schema::bind::select::BoundSelect;
use storage::{Row, Slice, SliceFilter};

use super::{ColumnInput, clustering, key_inputs, partition_key};
use crate::access_recorder::PartitionsRecord;
use crate::error::Result;
use crate::metrics::elapsed_since;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{MarkerValue, Parameters};
use crate::result::{ResultColumn, ResultMessage, ResultSet};
use crate::rows::full_row::ColumnLocation;

/// A read of one row.
#[derive(Clone, Debug)]
pub(crate) struct FastSelect {
    handle: Arc<TableHandle>,
    partition: Vec<ColumnInput>,
    clustering: Vec<ColumnInput>,
    columns: Vec<ColumnLocation>,
    result: Arc<[ResultColumn]>,
}

impl FastSelect {
    pub(super) fn for_plan(schema: &Schema, plan: &ReadPlan, select: &BoundSelect) -> Option<Self> {
        let single = plan.single_row.as_ref()?;
        let handle = schema.handle(&plan.table)?;
        if handle.is_computed || handle.strict_liveness {
            return None;
        }
        let table = &handle.definition;
        let place = |at: &usize| ColumnLocation::locate(handle, *at);
        Some(Self {
            partition: key_inputs(&single.row.partition, table.partition_key())?,
            clustering: key_inputs(&single.row.clustering, table.clustering())?,
            columns: single.columns.iter().map(place).collect::<Option<_>>()?,
            result: ResultColumn::for_select(select),
            handle: Arc::clone(handle),
        })
    }

    pub(super) fn run<'a>(
        &'a self,
        schema: &SchemaGuard<'_>,
        parameters: &Parameters<'_>,
        values: &[MarkerValue<'a>],
    ) -> Option<Result<ResultMessage>> {
        let key = partition_key(&self.partition, values)?;
        let clustering = clustering(&self.clustering, values)?;
        let start = self.handle.row_position(&clustering);
        let end = [&start[..], &[0]].concat().into();
        let slices = [Slice { start, end }];
        let filter =
            SliceFilter { slices: &slices, reversed: false, after: None, max_rows: usize::MAX };
        let mut rows = ResultSet::new(Arc::clone(&self.result));
        let started_at = schema.clock().now_micros();
        let now = parameters.now_seconds.unwrap_or_else(|| started_at.div_euclid(1_000_000));
        let read = self.handle.rows.read(&key, filter);
        if let Some(recorder) = parameters.recorder {
            recorder.begin_read(PartitionsRecord::Named(vec![key.key().into()]), 1, None);
        }
        let row = read.and_then(|mut read| read.rows.pop());
        if let Some(row) = row.as_ref().filter(|row| row.is_live(now)) {
            self.push_row(&mut rows, row, values, now)?;
        }
        self.record(row.as_ref(), rows.count, now);
        let reads = &self.handle.metrics.histograms().reads;
        reads.add(elapsed_since(started_at, schema.clock().now_micros()));
        Some(Ok(ResultMessage::Rows(rows)))
    }

    /// Counts the read among those of the table.
    fn record(&self, row: Option<&Row>, live: usize, now: i64) {
        let dead_cells = row.map_or(0, |row| row.cells().filter(|cell| !cell.is_live(now)).count());
        self.handle.metrics.count_read(live as u64, dead_cells as u64);
    }

    fn push_row<'a>(
        &'a self,
        rows: &mut ResultSet,
        row: &Row,
        values: &[MarkerValue<'a>],
        now: i64,
    ) -> Option<()> {
        for place in &self.columns {
            match place {
                ColumnLocation::Partition(at) => {
                    rows.push(Some(self.partition.get(*at)?.bytes(values)?));
                }
                // As it was first written: equal values may have different bytes.
                ColumnLocation::Clustering(at) => rows.push(row.clustering().nth(*at).flatten()),
                ColumnLocation::Cell(id) | ColumnLocation::StaticCell(id) => {
                    let mut cells = row.cells();
                    let cell = cells.find(|cell| cell.column == *id && cell.is_live(now));
                    rows.push(cell.map(|cell| cell.value));
                }
            }
        }
        rows.end_row();
        Some(())
    }
}
