//! [`FullRow`]: a row with its key and the static row of its partition.

use std::borrow::Cow;

use schema::catalog::ColumnKind;
use storage::{Cell, ColumnId};

use super::live_row::LiveRow;
use crate::function::expression::{CellTimes, PathTimes, RowValues};
use crate::node::handle::TableHandle;

/// A row with its key and static columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullRow<'a> {
    /// The table.
    pub(crate) handle: &'a TableHandle,
    /// The values of the partition key.
    pub(crate) key: &'a [&'a [u8]],
    /// The clustering values; empty if the partition has no row.
    pub(crate) clustering: &'a [Option<&'a [u8]>],
    /// The static row.
    pub(crate) statics: Option<&'a LiveRow<'a>>,
    /// The row.
    pub(crate) row: Option<&'a LiveRow<'a>>,
    /// The current time in seconds since 1970.
    pub(crate) now_seconds: i64,
}

/// Where the value of a column is read from, for columns whose value is one piece of a row: keys, and single cells but
/// for counters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnLocation {
    /// A component of the partition key.
    Partition(usize),
    /// A clustering value.
    Clustering(usize),
    /// The cell of a row.
    Cell(ColumnId),
    /// The cell of the static row.
    StaticCell(ColumnId),
}

impl ColumnLocation {
    /// The location of a column, by its position in the table's definition.
    pub(crate) fn locate(handle: &TableHandle, column: usize) -> Option<Self> {
        let definition = handle.definition.columns().get(column)?;
        if definition.ty.is_multi_cell() || definition.ty.is_counter() {
            return None;
        }
        Some(match definition.kind {
            ColumnKind::Partition => Self::Partition(definition.position),
            ColumnKind::Clustering => Self::Clustering(definition.position),
            ColumnKind::Regular => Self::Cell(handle.column_id(column)?),
            ColumnKind::Static => Self::StaticCell(handle.column_id(column)?),
        })
    }
}

impl<'a> FullRow<'a> {
    /// The value at a location.
    pub(crate) fn value_at(&self, location: ColumnLocation) -> Option<&'a [u8]> {
        match location {
            ColumnLocation::Partition(at) => self.key.get(at).copied(),
            ColumnLocation::Clustering(at) => self.clustering.get(at).copied().flatten(),
            ColumnLocation::Cell(id) => self.row?.single_value(id),
            ColumnLocation::StaticCell(id) => self.statics?.single_value(id),
        }
    }

    /// The value of a column, by its position in the table's definition.
    pub(crate) fn value(&self, column: usize) -> Option<Cow<'a, [u8]>> {
        let definition = self.handle.definition.columns().get(column)?;
        match definition.kind {
            ColumnKind::Partition => self.key.get(definition.position).copied().map(Cow::Borrowed),
            ColumnKind::Clustering => {
                self.clustering.get(definition.position).copied().flatten().map(Cow::Borrowed)
            }
            ColumnKind::Static | ColumnKind::Regular => {
                let id = self.handle.column_id(column)?;
                self.live_row(definition.kind)?.value(id, &definition.ty)
            }
        }
    }

    /// The live cells of a column.
    pub(crate) fn cells(&self, column: usize) -> &'a [Cell<'a>] {
        let kind = self.handle.definition.columns().get(column).map(|column| column.kind);
        let part = kind.and_then(|kind| self.live_row(kind));
        match (part, self.handle.column_id(column)) {
            (Some(part), Some(id)) => part.cells(id),
            _ => &[],
        }
    }

    fn live_row(&self, kind: ColumnKind) -> Option<&'a LiveRow<'a>> {
        if kind == ColumnKind::Static { self.statics } else { self.row }
    }
}

impl RowValues for FullRow<'_> {
    fn column(&self, column: usize) -> Option<Cow<'_, [u8]>> {
        self.value(column)
    }

    fn times(&self, column: usize) -> Option<CellTimes> {
        FullRow::cells(self, column).first().map(|cell| cell_times(cell, self.now_seconds))
    }

    fn cells(&self, column: usize) -> Vec<PathTimes<'_>> {
        let cells = FullRow::cells(self, column).iter();
        let timed = |cell: &Cell<'_>| cell_times(cell, self.now_seconds);
        cells.map(|cell| (Cow::Borrowed(cell.path.unwrap_or_default()), timed(cell))).collect()
    }
}

fn cell_times(cell: &Cell<'_>, now_seconds: i64) -> CellTimes {
    let left = i64::from(cell.local_time).saturating_sub(now_seconds);
    let ttl = cell.is_expiring().then(|| i32::try_from(left).unwrap_or(i32::MAX));
    CellTimes { timestamp: cell.timestamp, ttl }
}
