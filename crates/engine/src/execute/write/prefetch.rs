//! Reads before writes: the stored rows that operations, counters and conditions depend on.

use std::borrow::Cow;

use storage::{ColumnId, DecoratedKey, PartitionSlice, Row, Slice, SliceFilter, position, row};

use super::draft::RowDraft;
use crate::node::handle::TableHandle;

/// The stored rows of one partition that a write names.
#[derive(Debug)]
pub(super) struct PrefetchedRows(Option<PartitionSlice>);

impl PrefetchedRows {
    /// Reads rows of a partition, and its static row.
    pub(super) fn read(handle: &TableHandle, key: &DecoratedKey, slices: &[Slice]) -> Self {
        let filter = SliceFilter { slices, reversed: false, after: None, max_rows: usize::MAX };
        Self(handle.rows.read(key, filter))
    }

    /// The first row that was read.
    pub(super) fn row(&self) -> Option<&Row> {
        self.rows().first()
    }

    /// The static row.
    pub(super) fn statics(&self) -> Option<&Row> {
        self.0.as_ref()?.statics.as_ref()
    }

    /// All rows that were read.
    pub(super) fn rows(&self) -> &[Row] {
        self.0.as_ref().map_or(&[], |read| &read.rows)
    }
}

/// The slice of one row.
pub(super) fn row_slice(handle: &TableHandle, clustering: &[Option<Cow<'_, [u8]>>]) -> Slice {
    let values = || clustering.iter().map(Option::as_deref);
    let layout = &handle.layout;
    Slice {
        start: position::prefix_start(layout, values()),
        end: position::prefix_end(layout, values()),
    }
}

/// A row before the statement that changes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorRow<'a> {
    pub(super) row: Option<&'a Row>,
    pub(super) clustering: &'a [Option<Cow<'a, [u8]>>],
}

impl PriorRow<'_> {
    /// The live elements (paths and values) of a column, after the operations that the statement
    /// has executed on the row so far.
    pub(super) fn live_elements(
        &self,
        draft: &RowDraft<'_>,
        handle: &TableHandle,
        column: ColumnId,
    ) -> Vec<(Vec<u8>, Vec<u8>)> {
        let now = draft.times.now_seconds;
        let pending = draft.build(&handle.layout, self.clustering);
        let merged;
        let row = match (self.row, &pending) {
            (Some(stored), Some(pending)) => {
                merged = row::merge(&handle.layout, stored, pending);
                &merged
            }
            (Some(row), None) | (None, Some(row)) => row,
            (None, None) => return Vec::new(),
        };
        let live = row.cells().filter(|cell| cell.column == column && cell.is_live(now));
        live.map(|cell| (cell.path.unwrap_or_default().to_vec(), cell.value.to_vec())).collect()
    }
}
