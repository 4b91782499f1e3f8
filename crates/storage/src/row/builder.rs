//! Putting a row together.

use std::cmp::Ordering;

use super::bytes::{put_bytes, put_varint};
use super::merge::reconcile;
use super::{
    Cell, EXPIRES, HAS_DELETION, HAS_LIVENESS, HAS_PATH, IS_COLUMN_DELETION, IS_TOMBSTONE,
    LIVENESS_EXPIRES, Row, RowEntry, SAME_EXPIRY, SAME_TIMESTAMP,
};
use crate::deletion::{DeletionTime, LivenessInfo, NO_TTL};
use crate::layout::{ColumnId, Layout};

/// A row in the making; values are borrowed until it is packed.
#[derive(Clone, Debug)]
pub struct RowBuilder<'a> {
    clustering: Vec<Option<&'a [u8]>>,
    /// When it is inserted.
    pub liveness: LivenessInfo,
    /// When it is deleted.
    pub deletion: DeletionTime,
    entries: Vec<RowEntry<'a>>,
}

impl<'a> RowBuilder<'a> {
    /// A row of these clustering values, with nothing in it. A static row has none.
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

    /// Deletes all elements of a column that are not younger.
    pub fn delete_column(&mut self, column: ColumnId, deletion: DeletionTime) {
        self.entries.push(RowEntry::ColumnDeletion(column, deletion));
    }

    /// Adds a part of another row.
    pub(super) fn push(&mut self, entry: RowEntry<'a>) {
        self.entries.push(entry);
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.liveness.is_none() && self.deletion.is_live() && self.entries.is_empty()
    }

    /// Packs it. Several cells of one place become one, as if written one after the other.
    pub fn build(mut self, layout: &Layout) -> Row {
        let in_order =
            |pair: &[RowEntry<'a>]| compare_entries(layout, &pair[0], &pair[1]) == Ordering::Less;
        if !self.entries.windows(2).all(in_order) {
            self.entries.sort_by(|a, b| compare_entries(layout, a, b));
            self.entries = merge_entries(layout, self.entries);
        }
        self.drop_covered(self.deletion);
        self.pack()
    }

    /// Leaves out what a deletion of the row, and those of its columns, cover.
    pub(super) fn drop_covered(&mut self, of_row: DeletionTime) {
        if of_row.has_deleted(self.liveness.timestamp) {
            self.liveness = LivenessInfo::NONE;
        }
        let mut of_column = (None, of_row);
        self.entries.retain(|entry| match entry {
            RowEntry::ColumnDeletion(column, deletion) => {
                let counts = deletion.is_superseding(of_row);
                if counts {
                    of_column = (Some(*column), *deletion);
                }
                counts
            }
            RowEntry::Cell(cell) => {
                let (column, deletion) = of_column;
                let active = if column == Some(cell.column) { deletion } else { of_row };
                !active.has_deleted(cell.timestamp)
            }
        });
    }

    /// Packs entries that are in order.
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
pub(super) fn compare_entries(layout: &Layout, a: &RowEntry<'_>, b: &RowEntry<'_>) -> Ordering {
    let by_column = a.column().cmp(&b.column());
    by_column.then_with(|| match (a, b) {
        (RowEntry::ColumnDeletion(..), RowEntry::ColumnDeletion(..)) => Ordering::Equal,
        (RowEntry::ColumnDeletion(..), RowEntry::Cell(_)) => Ordering::Less,
        (RowEntry::Cell(_), RowEntry::ColumnDeletion(..)) => Ordering::Greater,
        (RowEntry::Cell(one), RowEntry::Cell(other)) => match (one.path, other.path) {
            (Some(one), Some(other)) => layout.compare_paths(a.column(), one, other),
            (one, other) => one.cmp(&other),
        },
    })
}

fn merge_entries<'a>(layout: &Layout, entries: Vec<RowEntry<'a>>) -> Vec<RowEntry<'a>> {
    let mut joined: Vec<RowEntry<'a>> = Vec::with_capacity(entries.len());
    for entry in entries {
        match joined.last_mut() {
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
            _ => joined.push(entry),
        }
    }
    joined
}
