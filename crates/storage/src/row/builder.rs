//! [`RowBuilder`]: collects the parts of a row, brings them into order and packs them.

use std::cmp::Ordering;

use super::bytes::{put_bytes, put_varint};
use super::merge::reconcile;
use super::{
    Cell, EXPIRES, HAS_DELETION, HAS_LIVENESS, HAS_PATH, IS_COLUMN_DELETION, IS_TOMBSTONE,
    LIVENESS_EXPIRES, Row, RowEntry, SAME_EXPIRY, SAME_TIMESTAMP,
};
use crate::deletion::{DeletionTime, LivenessInfo, NO_TTL};
use crate::layout::{ColumnId, Layout};

/// The parts of a row before it is packed; values are borrowed.
#[derive(Clone, Debug)]
pub struct RowBuilder<'a> {
    clustering: Vec<Option<&'a [u8]>>,
    /// The liveness of the primary key.
    pub liveness: LivenessInfo,
    /// The deletion of the row.
    pub deletion: DeletionTime,
    entries: Vec<RowEntry<'a>>,
}

impl<'a> RowBuilder<'a> {
    /// An empty row with these clustering values; a static row has none.
    pub fn new(clustering: impl IntoIterator<Item = Option<&'a [u8]>>) -> Self {
        Self {
            clustering: clustering.into_iter().collect(),
            liveness: LivenessInfo::NONE,
            deletion: DeletionTime::LIVE,
            entries: Vec::new(),
        }
    }

    /// Adds a cell.
    pub fn add(&mut self, cell: Cell<'a>) {
        self.entries.push(RowEntry::Cell(cell));
    }

    /// Adds a deletion of all cells of a multi-cell column.
    pub fn delete_column(&mut self, column: ColumnId, deletion: DeletionTime) {
        self.entries.push(RowEntry::ColumnDeletion(column, deletion));
    }

    /// Adds an entry of another row.
    pub(super) fn push(&mut self, entry: RowEntry<'a>) {
        self.entries.push(entry);
    }

    /// Whether it has neither liveness nor deletion nor entries.
    pub fn is_empty(&self) -> bool {
        self.liveness.is_none() && self.deletion.is_live() && self.entries.is_empty()
    }

    /// Packs the row: sorts its entries, merges entries with the same column and path as if they
    /// had been written by several statements, and drops what its own deletions cover. Most rows
    /// are added in order and without duplicates, so sorting is skipped where possible.
    pub fn build(mut self, layout: &Layout) -> Row {
        let is_ordered =
            |a: &RowEntry<'a>, b: &RowEntry<'a>| compare_entries(layout, a, b) == Ordering::Less;
        if !self.entries.is_sorted_by(is_ordered) {
            self.entries.sort_by(|a, b| compare_entries(layout, a, b));
            self.entries = merge_entries(layout, self.entries);
        }
        self.drop_covered(self.deletion);
        self.pack()
    }

    /// Drops what a deletion of the row, and those of its columns, cover. One pass is enough, since
    /// a column's deletion precedes its cells, and a column deletion that is kept supersedes the
    /// row's, so that its cells are compared with it alone.
    pub(super) fn drop_covered(&mut self, row_deletion: DeletionTime) {
        if row_deletion.has_deleted(self.liveness.timestamp) {
            self.liveness = LivenessInfo::NONE;
        }
        let mut column_deletion = (None, row_deletion);
        self.entries.retain(|entry| match entry {
            RowEntry::ColumnDeletion(column, deletion) => {
                let is_kept = deletion.is_superseding(row_deletion);
                if is_kept {
                    column_deletion = (Some(*column), *deletion);
                }
                is_kept
            }
            RowEntry::Cell(cell) => {
                let (column, deletion) = column_deletion;
                let active = if column == Some(cell.column) { deletion } else { row_deletion };
                !active.has_deleted(cell.timestamp)
            }
        });
    }

    /// Packs the row; its entries must be in order, without duplicates and not covered.
    pub(super) fn pack(self) -> Row {
        let mut out = Vec::with_capacity(64 + self.entries.iter().map(entry_size).sum::<usize>());
        let mut flags = 0;
        if !self.liveness.is_none() {
            flags |= HAS_LIVENESS;
            if self.liveness.ttl != NO_TTL {
                flags |= LIVENESS_EXPIRES;
            }
        }
        if !self.deletion.is_live() {
            flags |= HAS_DELETION;
        }
        out.push(flags);
        put_varint(&mut out, self.clustering.len());
        for value in &self.clustering {
            match value {
                None => out.push(0),
                Some(value) => {
                    put_varint(&mut out, value.len().saturating_add(1));
                    out.extend_from_slice(value);
                }
            }
        }
        if flags & HAS_LIVENESS != 0 {
            out.extend(self.liveness.timestamp.to_be_bytes());
            if flags & LIVENESS_EXPIRES != 0 {
                out.extend(self.liveness.ttl.to_be_bytes());
                out.extend(self.liveness.expires_at.to_be_bytes());
            }
        }
        if flags & HAS_DELETION != 0 {
            out.extend(self.deletion.timestamp.to_be_bytes());
            out.extend(self.deletion.local_time.to_be_bytes());
        }
        for entry in &self.entries {
            pack_entry(&mut out, entry, self.liveness);
        }
        Row(out.into())
    }
}

fn entry_size(entry: &RowEntry<'_>) -> usize {
    match entry {
        RowEntry::Cell(cell) => 24 + cell.value.len() + cell.path.map_or(0, <[u8]>::len),
        RowEntry::ColumnDeletion(..) => 20,
    }
}

fn pack_entry(out: &mut Vec<u8>, entry: &RowEntry<'_>, liveness: LivenessInfo) {
    put_varint(out, usize::try_from(entry.column()).unwrap_or(usize::MAX));
    let cell = match entry {
        RowEntry::ColumnDeletion(_, deletion) => {
            out.push(IS_COLUMN_DELETION);
            out.extend(deletion.timestamp.to_be_bytes());
            out.extend(deletion.local_time.to_be_bytes());
            return;
        }
        RowEntry::Cell(cell) => cell,
    };
    let mut flags = 0;
    if !liveness.is_none() && cell.timestamp == liveness.timestamp {
        flags |= SAME_TIMESTAMP;
    }
    if cell.is_tombstone() {
        flags |= IS_TOMBSTONE;
    } else if cell.is_expiring() {
        let same = (cell.ttl, cell.local_time) == (liveness.ttl, liveness.expires_at);
        flags |= if same { SAME_EXPIRY } else { EXPIRES };
    }
    if cell.path.is_some() {
        flags |= HAS_PATH;
    }
    out.push(flags);
    if flags & SAME_TIMESTAMP == 0 {
        out.extend(cell.timestamp.to_be_bytes());
    }
    if flags & EXPIRES != 0 {
        out.extend(cell.ttl.to_be_bytes());
    }
    if flags & (EXPIRES | IS_TOMBSTONE) != 0 {
        out.extend(cell.local_time.to_be_bytes());
    }
    if let Some(path) = cell.path {
        put_bytes(out, path);
    }
    if flags & IS_TOMBSTONE == 0 {
        put_bytes(out, cell.value);
    }
}

/// The order of entries: by column, its deletion first, then by path.
pub fn compare_entries(layout: &Layout, a: &RowEntry<'_>, b: &RowEntry<'_>) -> Ordering {
    a.column().cmp(&b.column()).then_with(|| match (a, b) {
        (RowEntry::ColumnDeletion(..), RowEntry::ColumnDeletion(..)) => Ordering::Equal,
        (RowEntry::ColumnDeletion(..), RowEntry::Cell(_)) => Ordering::Less,
        (RowEntry::Cell(_), RowEntry::ColumnDeletion(..)) => Ordering::Greater,
        (RowEntry::Cell(one), RowEntry::Cell(other)) => match (one.path, other.path) {
            (Some(one), Some(other)) => layout.compare_paths(a.column(), one, other),
            (one, other) => one.cmp(&other),
        },
    })
}

/// Merges sorted entries with the same column and path.
fn merge_entries<'a>(layout: &Layout, entries: Vec<RowEntry<'a>>) -> Vec<RowEntry<'a>> {
    let mut merged: Vec<RowEntry<'a>> = Vec::with_capacity(entries.len());
    for entry in entries {
        match merged.last_mut() {
            Some(last) if compare_entries(layout, last, &entry) == Ordering::Equal => {
                *last = match (*last, entry) {
                    (RowEntry::Cell(one), RowEntry::Cell(other)) => {
                        RowEntry::Cell(reconcile(layout, one, other))
                    }
                    (RowEntry::ColumnDeletion(column, one), RowEntry::ColumnDeletion(_, other)) => {
                        RowEntry::ColumnDeletion(column, one.merge(other))
                    }
                    (_, other) => other,
                };
            }
            _ => merged.push(entry),
        }
    }
    merged
}
