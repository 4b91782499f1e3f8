//! [`RowPacker`]: packs a row entry by entry, so that merging a row with many elements needs no list
//! of them.

use super::bytes::{put_bytes, put_varint};
use super::{
    EXPIRES, HAS_DELETION, HAS_LIVENESS, HAS_PATH, IS_COLUMN_DELETION, IS_TOMBSTONE,
    LIVENESS_EXPIRES, Row, RowEntry, RowHeader, SAME_EXPIRY, SAME_TIMESTAMP,
};
use crate::deletion::{DeletionTime, LivenessInfo, NO_TTL};
use crate::layout::ColumnId;

/// What the parts of a row before its entries take at most, besides the clustering values.
const HEAD_BYTES: usize = 64;

/// Packs the entries of a row, which come in order and without duplicates. Those that a deletion
/// covers are dropped. One pass is enough, since a column's deletion precedes its cells, and a column
/// deletion that is kept supersedes the row's, so that its cells are compared with it alone.
pub(super) struct RowPacker {
    out: Vec<u8>,
    liveness: LivenessInfo,
    covering: DeletionTime,
    column_deletion: Option<(ColumnId, DeletionTime)>,
    is_empty: bool,
}

impl RowPacker {
    /// `covering` is the deletion that covers the row: its own, or one around it. `size` is the
    /// expected size of the entries in bytes.
    pub(super) fn new<'c>(
        clustering: impl Iterator<Item = Option<&'c [u8]>> + Clone,
        header: RowHeader,
        covering: DeletionTime,
        size: usize,
    ) -> Self {
        let RowHeader { mut liveness, deletion } = header;
        if covering.has_deleted(liveness.timestamp) {
            liveness = LivenessInfo::NONE;
        }
        let mut flags = 0;
        if !liveness.is_none() {
            flags |= HAS_LIVENESS;
            if liveness.ttl != NO_TTL {
                flags |= LIVENESS_EXPIRES;
            }
        }
        if !deletion.is_live() {
            flags |= HAS_DELETION;
        }
        let mut out = Vec::with_capacity(HEAD_BYTES + size);
        out.push(flags);
        put_varint(&mut out, clustering.clone().count());
        for value in clustering {
            match value {
                None => out.push(0),
                Some(value) => {
                    put_varint(&mut out, value.len().saturating_add(1));
                    out.extend_from_slice(value);
                }
            }
        }
        if flags & HAS_LIVENESS != 0 {
            out.extend(liveness.timestamp.to_be_bytes());
            if flags & LIVENESS_EXPIRES != 0 {
                out.extend(liveness.ttl.to_be_bytes());
                out.extend(liveness.expires_at.to_be_bytes());
            }
        }
        if flags & HAS_DELETION != 0 {
            out.extend(deletion.timestamp.to_be_bytes());
            out.extend(deletion.local_time.to_be_bytes());
        }
        let is_empty = flags == 0;
        Self { out, liveness, covering, column_deletion: None, is_empty }
    }

    /// Adds an entry, unless a deletion covers it.
    pub(super) fn push(&mut self, entry: &RowEntry<'_>) {
        let is_kept = match entry {
            RowEntry::ColumnDeletion(column, deletion) => {
                let is_kept = deletion.is_superseding(self.covering);
                if is_kept {
                    self.column_deletion = Some((*column, *deletion));
                }
                is_kept
            }
            RowEntry::Cell(cell) => {
                let of_column = self.column_deletion.filter(|(column, _)| *column == cell.column);
                let active = of_column.map_or(self.covering, |(_, deletion)| deletion);
                !active.has_deleted(cell.timestamp)
            }
        };
        if is_kept {
            self.is_empty = false;
            pack_entry(&mut self.out, entry, self.liveness);
        }
    }

    /// The row.
    pub(super) fn finish(self) -> Row {
        Row(self.out.into())
    }

    /// The row; `None` if it has neither liveness nor deletion nor entries.
    pub(super) fn finish_unless_empty(self) -> Option<Row> {
        (!self.is_empty).then(|| self.finish())
    }
}

/// The size of a packed entry at most, in bytes.
pub(super) fn entry_size(entry: &RowEntry<'_>) -> usize {
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
