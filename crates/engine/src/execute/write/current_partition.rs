//! [`CurrentPartition`]: the rows of a partition that conditions are evaluated on.

use std::sync::Arc;

use storage::{Cell, ColumnId, DecoratedKey, Position, Row, RowBuilder, Slice, row_position};

use super::prefetch::PrefetchedRows;
use crate::node::handle::TableHandle;
use crate::rows::cursor::{PartitionCursor, RowRange};

/// The live rows that conditions are on, with the columns that the server reads for them. A row
/// counts as existing only if it has liveness or a live cell in one of these columns: results
/// depend on which columns the server reads.
#[derive(Debug)]
pub(super) struct CurrentPartition {
    pub(super) key: DecoratedKey,
    statics: Option<Row>,
    rows: Vec<(Position, Row)>,
    /// The ids of the columns that are read.
    columns: Vec<ColumnId>,
    pub(super) now_seconds: i64,
}

impl CurrentPartition {
    /// Reads the rows of these slices; without any, the first row of the partition.
    pub(super) fn read(
        handle: &Arc<TableHandle>,
        key: &DecoratedKey,
        slices: &[Slice],
        now_seconds: i64,
        reads: impl Fn(usize) -> bool,
    ) -> Self {
        let columns = (0..handle.definition.columns().len()).filter(|column| reads(*column));
        let columns: Vec<ColumnId> =
            columns.filter_map(|column| handle.column_id(column)).collect();
        let mut current =
            Self { key: key.clone(), statics: None, rows: Vec::new(), columns, now_seconds };
        if slices.is_empty() {
            let cursor = PartitionCursor::open(&handle.rows, key.clone(), RowRange::all(), None);
            if let Some(mut cursor) = cursor {
                current.set_statics(cursor.statics.take());
                let first = cursor.find(|row| current.is_live(row));
                current.rows.extend(first.map(|row| (row_position(&handle.layout, &row), row)));
            }
        } else {
            let stored = PrefetchedRows::read(handle, key, slices);
            current.set_statics(stored.statics().cloned());
            let live = stored.rows().iter().filter(|row| current.is_live(row));
            let live: Vec<_> =
                live.map(|row| (row_position(&handle.layout, row), row.clone())).collect();
            current.rows = live;
        }
        current
    }

    fn set_statics(&mut self, statics: Option<Row>) {
        self.statics = statics.filter(|row| self.has_cells(row));
    }

    fn is_live(&self, row: &Row) -> bool {
        row.liveness().is_live(self.now_seconds) || self.has_cells(row)
    }

    fn has_cells(&self, row: &Row) -> bool {
        row.cells().any(|cell| cell.is_live(self.now_seconds) && self.is_read(cell.column))
    }

    /// Whether a column is read.
    pub(super) fn is_read(&self, column: ColumnId) -> bool {
        self.columns.contains(&column)
    }

    /// A row with only the columns that are read.
    pub(super) fn project_row(&self, handle: &TableHandle, row: &Row) -> Option<Row> {
        let mut projected = RowBuilder::new(row.clustering());
        row.cells().filter(|cell| self.is_read(cell.column)).for_each(|cell| projected.add(cell));
        (!projected.is_empty()).then(|| projected.build(&handle.layout))
    }

    /// A row with its liveness and the live cells of the columns that are read.
    pub(super) fn live_projection(&self, handle: &TableHandle, row: &Row) -> Row {
        let mut projected = RowBuilder::new(row.clustering());
        if row.liveness().is_live(self.now_seconds) {
            projected.liveness = row.liveness();
        }
        let is_shown =
            |cell: &Cell<'_>| cell.is_live(self.now_seconds) && self.is_read(cell.column);
        row.cells().filter(is_shown).for_each(|cell| projected.add(cell));
        projected.build(&handle.layout)
    }

    /// The static row, unless it is empty.
    pub(super) fn statics(&self) -> Option<&Row> {
        self.statics.as_ref()
    }

    /// The row at a position.
    pub(super) fn row_at(&self, position: &Position) -> Option<&Row> {
        self.rows.iter().find(|(own, _)| own == position).map(|(_, row)| row)
    }

    /// The rows, in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(|(_, row)| row)
    }
}
