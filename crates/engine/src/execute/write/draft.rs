//! [`RowDraft`]: the row that a statement builds, before it is packed.

use std::borrow::Cow;

use storage::{Cell, ColumnId, DeletionTime, Layout, LivenessInfo, Row, RowBuilder};

use super::times::WriteTimes;

/// A row under construction; values are borrowed from the statement where possible.
#[derive(Debug)]
pub(super) struct RowDraft<'a> {
    pub(super) times: WriteTimes,
    pub(super) liveness: LivenessInfo,
    pub(super) deletion: DeletionTime,
    parts: Vec<DraftCell<'a>>,
    /// The increments of counters, by column.
    pub(super) increments: Vec<(ColumnId, i64)>,
}

#[derive(Debug)]
struct DraftCell<'a> {
    column: ColumnId,
    path: Option<Cow<'a, [u8]>>,
    content: CellContent<'a>,
}

#[derive(Debug)]
enum CellContent<'a> {
    Value(Cow<'a, [u8]>),
    Nothing,
    ColumnDeletion(DeletionTime),
}

impl<'a> RowDraft<'a> {
    /// An empty row with capacity for this many cells.
    pub(super) fn new(times: WriteTimes, cells: usize) -> Self {
        Self {
            times,
            liveness: LivenessInfo::NONE,
            deletion: DeletionTime::LIVE,
            parts: Vec::with_capacity(cells),
            increments: Vec::new(),
        }
    }

    /// Adds a value of a column or of an element.
    pub(super) fn put(
        &mut self,
        column: ColumnId,
        path: Option<Cow<'a, [u8]>>,
        value: Cow<'a, [u8]>,
    ) {
        self.parts.push(DraftCell { column, path, content: CellContent::Value(value) });
    }

    /// Adds a tombstone of a column or of an element.
    pub(super) fn delete(&mut self, column: ColumnId, path: Option<Cow<'a, [u8]>>) {
        self.parts.push(DraftCell { column, path, content: CellContent::Nothing });
    }

    /// Adds a deletion of all cells of a multi-cell column.
    pub(super) fn delete_elements(&mut self, column: ColumnId, deletion: DeletionTime) {
        let content = CellContent::ColumnDeletion(deletion);
        self.parts.push(DraftCell { column, path: None, content });
    }

    /// Increments a counter; increments of one counter add up.
    pub(super) fn increment(&mut self, column: ColumnId, by: i64) {
        match self.increments.iter_mut().find(|(own, _)| *own == column) {
            Some((_, sum)) => *sum = sum.wrapping_add(by),
            None => self.increments.push((column, by)),
        }
    }

    /// Packs the row so far; `None` if it is empty.
    pub(super) fn build(
        &self,
        layout: &Layout,
        clustering: &[Option<Cow<'_, [u8]>>],
    ) -> Option<Row> {
        let mut row = RowBuilder::new(clustering.iter().map(Option::as_deref));
        row.liveness = self.liveness;
        row.deletion = self.deletion;
        let expiry = self.times.liveness;
        for part in &self.parts {
            let cell = match &part.content {
                CellContent::ColumnDeletion(deletion) => {
                    row.delete_column(part.column, *deletion);
                    continue;
                }
                CellContent::Nothing => Cell::tombstone(part.column, self.times.deletion()),
                CellContent::Value(value) => {
                    Cell::live(part.column, self.times.timestamp, value).with_expiry(expiry)
                }
            };
            row.add(match &part.path {
                Some(path) => cell.with_path(path),
                None => cell,
            });
        }
        (!row.is_empty()).then(|| row.build(layout))
    }
}
