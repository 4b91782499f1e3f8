//! [`LiveRow`]: the live cells of a stored row at a point in time, and their values.

use std::borrow::Cow;

use cql::types::Type;
use storage::deletion::NO_DELETION_TIME;
use storage::{Cell, ColumnId, Row, RowEntries, RowEntry};

use super::short_list::ShortList;

/// The live cells of a row, in the order of their columns.
#[derive(Clone, Debug)]
pub(crate) struct LiveRow<'r> {
    cells: LiveCells<'r>,
}

/// Most rows have few columns: their cells need no allocation.
type LiveCells<'r> = ShortList<Cell<'r>, 4>;

/// The time of a read, and what counts as dead at that time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadTime {
    /// The current time in seconds since 1970.
    pub(crate) now: i64,
    /// Tombstones from before this second are ignored: `gc_grace_seconds` have passed.
    pub(crate) gc_before: i64,
    /// Rows exist only by their liveness, as in some views.
    pub(crate) by_insertion_only: bool,
}

impl ReadTime {
    /// Whether a tombstone of that time still counts.
    pub(crate) fn is_remembered(&self, local_time: i32) -> bool {
        local_time != NO_DELETION_TIME && i64::from(local_time) >= self.gc_before
    }

    /// Whether a row that is not live was deleted or has expired.
    fn has_deletion(&self, row: &Row) -> bool {
        let is_deletion = |entry: RowEntry<'_>| matches!(entry, RowEntry::ColumnDeletion(_, deletion) if self.is_remembered(deletion.local_time));
        self.is_remembered(row.deletion().local_time)
            || self.is_remembered(row.liveness().expires_at)
            || row.entries().any(is_deletion)
    }
}

impl<'r> LiveRow<'r> {
    /// A row without cells, to be filled.
    pub(crate) fn new() -> Self {
        Self { cells: LiveCells::new(Cell::live(0, 0, &[])) }
    }

    /// Reads a row, and returns whether it exists at that time. Dead cells are counted.
    pub(crate) fn fill(&mut self, row: &'r Row, moment: &ReadTime, dead: &mut u32) -> bool {
        let (liveness, entries) = row.liveness_and_entries();
        let inserted = liveness.is_live(moment.now);
        let dead_cells = self.add_cells(entries, moment);
        *dead += dead_cells;
        let has_cells = !self.cells.as_slice().is_empty();
        let lives = inserted || (has_cells && !moment.by_insertion_only);
        if !lives && !inserted && dead_cells == 0 && moment.has_deletion(row) {
            *dead += 1;
        }
        lives
    }

    /// Reads a static row; `None` if it is empty.
    pub(crate) fn read_static(row: &'r Row, moment: &ReadTime, dead: &mut u32) -> Option<Self> {
        let mut live = Self::new();
        *dead += live.add_cells(row.entries(), moment);
        (!live.cells.as_slice().is_empty()).then_some(live)
    }

    /// Adds the live cells of a row, and returns the number of dead ones.
    fn add_cells(&mut self, entries: RowEntries<'r>, moment: &ReadTime) -> u32 {
        let mut dead = 0;
        for entry in entries {
            let RowEntry::Cell(cell) = entry else { continue };
            if cell.is_live(moment.now) {
                self.cells.push(cell);
            } else if moment.is_remembered(cell.local_time) {
                dead += 1;
            }
        }
        dead
    }

    /// The live cells of a column.
    pub(crate) fn cells(&self, column: ColumnId) -> &[Cell<'r>] {
        let cells = self.cells.as_slice();
        let start = cells.partition_point(|cell| cell.column < column);
        let own = cells.get(start..).unwrap_or_default();
        let length = own.iter().take_while(|cell| cell.column == column).count();
        own.get(..length).unwrap_or_default()
    }

    /// The value of a column of a single cell.
    pub(crate) fn single_value(&self, column: ColumnId) -> Option<&'r [u8]> {
        let mut cells = self.cells.as_slice().iter();
        cells.find(|cell| cell.column == column).map(|cell| cell.value)
    }

    /// The value of a column; `None` is null.
    pub(crate) fn value(&self, column: ColumnId, ty: &Type) -> Option<Cow<'r, [u8]>> {
        let cells = self.cells(column);
        let first = cells.first()?;
        if ty.is_multi_cell() {
            return Some(Cow::Owned(pack(ty, cells)));
        }
        Some(Cow::Borrowed(if ty.is_counter() { counter_value(first.value) } else { first.value }))
    }
}

/// The count in a counter's cell, after the clock.
pub(crate) fn counter_value(value: &[u8]) -> &[u8] {
    const CLOCK_BYTES: usize = 8;
    value.get(CLOCK_BYTES..).unwrap_or_default()
}

/// The value of a multi-cell column: its cells, serialised as one value.
pub(crate) fn pack(ty: &Type, cells: &[Cell<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    if let Type::User(user, _) = ty {
        for position in 0..user.fields.len() {
            let path = u16::try_from(position).unwrap_or(u16::MAX).to_be_bytes();
            let cell = cells.iter().find(|cell| cell.path == Some(&path));
            put_value(&mut out, cell.map(|cell| cell.value));
        }
        return out;
    }
    let (with_path, with_value) = match ty {
        Type::Set(..) => (true, false),
        Type::Map(..) => (true, true),
        _ => (false, true),
    };
    out.extend(i32::try_from(cells.len()).unwrap_or(i32::MAX).to_be_bytes());
    for cell in cells {
        if with_path {
            put_value(&mut out, cell.path);
        }
        if with_value {
            put_value(&mut out, Some(cell.value));
        }
    }
    out
}

/// Appends a value preceded by a length of four bytes, -1 for null.
fn put_value(out: &mut Vec<u8>, value: Option<&[u8]>) {
    let length = value.map_or(-1, |value| i32::try_from(value.len()).unwrap_or(i32::MAX));
    out.extend(length.to_be_bytes());
    out.extend_from_slice(value.unwrap_or_default());
}
