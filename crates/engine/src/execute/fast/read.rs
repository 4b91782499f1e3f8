//! SELECT of plain columns of one row, by its whole key.

use std::sync::Arc;

use schema::bind::restrictions::Filters;
use schema::bind::select::{BoundSelect, limit_value};
use schema::bind::selection::{Expression, SelectedColumn};
use schema::catalog::ColumnKind;
use storage::{ColumnId, Row, RowsWanted, Slice};

use super::{Input, clustering, fixed, partition};
use crate::answer::{Outcome, ResultColumn, Rows};
use crate::error::Result;
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{Parameters, Value};

/// A read of one row.
#[derive(Clone, Debug)]
pub(crate) struct FastRead {
    handle: Arc<TableHandle>,
    partition: Vec<Input>,
    clustering: Vec<Input>,
    columns: Vec<Place>,
    result: Arc<[ResultColumn]>,
}

/// Where the value of a result column is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Partition(usize),
    Clustering(usize),
    Cell(ColumnId),
}

impl FastRead {
    pub(super) fn of(schema: &Schema, select: &BoundSelect) -> Option<Self> {
        let handle = schema.handle(&select.table)?;
        let table = &handle.definition;
        let restrictions = &select.restrictions;
        let is_limited = [&select.limit, &select.per_partition_limit];
        let is_plain = !handle.is_computed
            && !handle.strict_liveness
            && !restrictions.uses_index
            && !restrictions.is_key_range
            && restrictions.filters == Filters::default()
            && restrictions.others.is_empty()
            && restrictions.partition.token.is_none()
            && select.aggregation.is_none()
            && !select.is_json
            && !select.is_distinct
            && !table.is_compact()
            && is_limited.iter().all(|limit| {
                limit.as_ref().is_none_or(|limit| limit_value(limit).is_some_and(|rows| rows > 0))
            });
        if !is_plain {
            return None;
        }
        let place = |selected: &SelectedColumn| Self::place(handle, selected);
        Some(Self {
            partition: fixed(&restrictions.partition.columns, table.partition_key())?,
            clustering: fixed(&restrictions.clustering, table.clustering())?,
            columns: select.selection.columns.iter().map(place).collect::<Option<_>>()?,
            result: ResultColumn::all_of(select),
            handle: Arc::clone(handle),
        })
    }

    fn place(handle: &TableHandle, selected: &SelectedColumn) -> Option<Place> {
        let Expression::Column(at) = selected.expression else { return None };
        let column = handle.definition.columns().get(at)?;
        if column.mask.is_some() || column.is_multi_cell() || column.ty.is_counter() {
            return None;
        }
        match column.kind {
            ColumnKind::Partition => Some(Place::Partition(column.position)),
            ColumnKind::Clustering => Some(Place::Clustering(column.position)),
            ColumnKind::Regular => handle.column_id(at).map(Place::Cell),
            ColumnKind::Static => None,
        }
    }

    pub(super) fn run<'a>(
        &'a self,
        schema: &SchemaGuard<'_>,
        parameters: &Parameters<'_>,
        values: &[Value<'a>],
    ) -> Option<Result<Outcome>> {
        let key = partition(&self.partition, values)?;
        let clustering = clustering(&self.clustering, values)?;
        let start = self.handle.row_position(&clustering);
        let end = [&start[..], &[0]].concat().into();
        let slices = [Slice { start, end }];
        let wanted = RowsWanted { slices: &slices, reversed: false, after: None, max_rows: 1 };
        let mut rows = Rows::new(Arc::clone(&self.result));
        let now = parameters
            .now_seconds
            .unwrap_or_else(|| schema.clock().now_micros().div_euclid(1_000_000));
        let read = self.handle.rows.read(&key, wanted);
        if let Some(row) = read.and_then(|mut read| read.rows.pop())
            && row.is_live(now)
        {
            self.push(&mut rows, &row, values, now)?;
        }
        Some(Ok(Outcome::Rows(rows)))
    }

    fn push<'a>(
        &'a self,
        rows: &mut Rows,
        row: &Row,
        values: &[Value<'a>],
        now: i64,
    ) -> Option<()> {
        for place in &self.columns {
            match place {
                Place::Partition(at) => rows.push(Some(self.partition.get(*at)?.bytes(values)?)),
                // As it was written first: values may be equal with other bytes.
                Place::Clustering(at) => rows.push(row.clustering().nth(*at).flatten()),
                Place::Cell(id) => {
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
