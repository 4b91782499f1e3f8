//! [`Row`]: clustering values, liveness, deletion and cells, packed into one allocation.
//!
//! Readers share the allocation; a merge writes a new one, so a row that was read never changes.
//! The entries are ordered by column; those of one column are its deletion first, then its cells by
//! path. `builder` and `packer` pack a row, this file unpacks it, `merge` merges two versions, `purge` leaves
//! out old tombstones.
//!
//! ```text
//! flags  clustering  [liveness]  [deletion]  entry*
//! entry: column  flags  [timestamp]  [ttl expiry | deletion time]  [path]  [value]
//! ```

mod builder;
pub(crate) mod bytes;
mod merge;
mod packer;
mod purge;

use std::sync::Arc;

pub use builder::{RowBuilder, compare_entries};
pub use merge::{decode_counter, merge, prune};
pub(crate) use purge::purge;
pub(crate) use purge::purge_dropped;

use crate::deletion::{DeletionTime, LivenessInfo, NO_DELETION_TIME, NO_TTL};
use crate::layout::ColumnId;
use bytes::Reader;

const HAS_LIVENESS: u8 = 1;
const LIVENESS_EXPIRES: u8 = 2;
const HAS_DELETION: u8 = 4;

const IS_COLUMN_DELETION: u8 = 1;
const HAS_PATH: u8 = 2;
const IS_TOMBSTONE: u8 = 4;
const EXPIRES: u8 = 8;
/// The timestamp is that of the row's liveness: so for most cells, which an INSERT wrote.
const SAME_TIMESTAMP: u8 = 16;
/// TTL and expiry are those of the row's liveness.
const SAME_EXPIRY: u8 = 32;

/// A packed row.
#[derive(Clone, PartialEq, Eq)]
pub struct Row(Arc<[u8]>);

/// A cell: one value of a column, or of one element of a multi-cell column, or a tombstone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The column that it belongs to.
    pub column: ColumnId,
    /// The element of a multi-cell column: the key of a map, the element of a set, the time-based
    /// id of a list's element, the position (two bytes) of a user type's field.
    pub path: Option<&'a [u8]>,
    /// The timestamp of the write.
    pub timestamp: i64,
    /// Its TTL in seconds, or [`NO_TTL`].
    pub ttl: i32,
    /// When it expires, or when it was deleted, in seconds since 1970; or [`NO_DELETION_TIME`].
    pub local_time: i32,
    /// Its value; empty in a tombstone and in a set's element. That of a counter is its clock and
    /// its count, eight bytes each.
    pub value: &'a [u8],
}

impl<'a> Cell<'a> {
    /// A cell that does not expire.
    pub fn live(column: ColumnId, timestamp: i64, value: &'a [u8]) -> Self {
        Self { column, path: None, timestamp, ttl: NO_TTL, local_time: NO_DELETION_TIME, value }
    }

    /// A cell that deletes.
    pub fn tombstone(column: ColumnId, deletion: DeletionTime) -> Self {
        Self {
            column,
            path: None,
            timestamp: deletion.timestamp,
            ttl: NO_TTL,
            local_time: deletion.local_time,
            value: &[],
        }
    }

    /// The same cell for an element of a multi-cell column.
    #[must_use]
    pub fn with_path(self, path: &'a [u8]) -> Self {
        Self { path: Some(path), ..self }
    }

    /// The same cell with the TTL and expiry of a liveness.
    #[must_use]
    pub fn with_expiry(self, liveness: LivenessInfo) -> Self {
        Self { ttl: liveness.ttl, local_time: liveness.expires_at, ..self }
    }

    /// Whether it deletes.
    pub fn is_tombstone(&self) -> bool {
        self.ttl == NO_TTL && self.local_time != NO_DELETION_TIME
    }

    /// Whether it has a TTL.
    pub fn is_expiring(&self) -> bool {
        self.ttl != NO_TTL
    }

    /// Whether a read at that second returns it.
    pub fn is_live(&self, now_seconds: i64) -> bool {
        self.local_time == NO_DELETION_TIME
            || (self.ttl != NO_TTL && i64::from(self.local_time) > now_seconds)
    }
}

/// An entry of a row: a cell, or the deletion of a multi-cell column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEntry<'a> {
    /// A deletion of all cells of a multi-cell column (Cassandra's complex deletion).
    ColumnDeletion(ColumnId, DeletionTime),
    /// A cell of any column.
    Cell(Cell<'a>),
}

impl RowEntry<'_> {
    /// The column of the entry.
    #[inline]
    pub fn column(&self) -> ColumnId {
        match self {
            Self::ColumnDeletion(column, _) => *column,
            Self::Cell(cell) => cell.column,
        }
    }
}

impl Row {
    /// Takes packed bytes, as [`Self::as_bytes`] returns them; `None` if they are malformed.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let header = RowHeader::read(&mut reader)?;
        let mut entries = RowEntries { reader, liveness: header.liveness };
        while !entries.reader.is_empty() {
            entries.next()?;
        }
        Some(Self(bytes.into()))
    }

    /// The packed bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn reader(&self) -> Reader<'_> {
        Reader::new(&self.0)
    }

    /// The clustering values; `None` for one that is null.
    #[inline]
    pub fn clustering(&self) -> Clustering<'_> {
        let mut reader = self.reader();
        let _flags = reader.byte();
        let left = reader.varint().unwrap_or(0);
        Clustering { reader, left }
    }

    /// The liveness of its primary key.
    #[inline]
    pub fn liveness(&self) -> LivenessInfo {
        RowHeader::read(&mut self.reader()).map_or(LivenessInfo::NONE, |header| header.liveness)
    }

    /// The deletion of the row, which covers nothing that the row still holds.
    #[inline]
    pub fn deletion(&self) -> DeletionTime {
        RowHeader::read(&mut self.reader()).map_or(DeletionTime::LIVE, |header| header.deletion)
    }

    /// Its column deletions and cells, in order.
    #[inline]
    pub fn entries(&self) -> RowEntries<'_> {
        self.liveness_and_entries().1
    }

    /// Its liveness and its entries, for readers that need both of every row.
    #[inline]
    pub fn liveness_and_entries(&self) -> (LivenessInfo, RowEntries<'_>) {
        let mut reader = self.reader();
        let liveness =
            RowHeader::read(&mut reader).map_or(LivenessInfo::NONE, |header| header.liveness);
        (liveness, RowEntries { reader, liveness })
    }

    /// Its cells, in order.
    #[inline]
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.entries().filter_map(|entry| match entry {
            RowEntry::Cell(cell) => Some(cell),
            RowEntry::ColumnDeletion(..) => None,
        })
    }

    /// Whether a read at that second returns it: its liveness or one of its cells is live.
    pub fn is_live(&self, now_seconds: i64) -> bool {
        self.liveness().is_live(now_seconds) || self.cells().any(|cell| cell.is_live(now_seconds))
    }

    /// Whether it has more than deletions.
    pub fn has_content(&self) -> bool {
        !self.liveness().is_none() || self.cells().any(|cell| !cell.is_tombstone())
    }

    /// Whether it holds nothing at all, not even a deletion.
    pub fn is_empty(&self) -> bool {
        self.liveness().is_none() && self.deletion().is_live() && self.entries().next().is_none()
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row")
            .field("clustering", &self.clustering().collect::<Vec<_>>())
            .field("liveness", &self.liveness())
            .field("deletion", &self.deletion())
            .field("entries", &self.entries().collect::<Vec<_>>())
            .finish()
    }
}

/// The clustering values of a row.
#[derive(Clone, Debug)]
pub struct Clustering<'a> {
    reader: Reader<'a>,
    left: u32,
}

impl<'a> Iterator for Clustering<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        match self.reader.varint()? {
            0 => Some(None),
            length => Some(Some(self.reader.take(length - 1)?)),
        }
    }
}

#[derive(Clone, Copy)]
struct RowHeader {
    liveness: LivenessInfo,
    deletion: DeletionTime,
}

impl RowHeader {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let flags = reader.byte()?;
        for _ in 0..reader.varint()? {
            let length = reader.varint()?;
            reader.take(length.saturating_sub(1))?;
        }
        let mut liveness = LivenessInfo::NONE;
        if flags & HAS_LIVENESS != 0 {
            liveness.timestamp = reader.i64()?;
            if flags & LIVENESS_EXPIRES != 0 {
                liveness.ttl = reader.i32()?;
                liveness.expires_at = reader.i32()?;
            }
        }
        let mut deletion = DeletionTime::LIVE;
        if flags & HAS_DELETION != 0 {
            deletion = DeletionTime { timestamp: reader.i64()?, local_time: reader.i32()? };
        }
        Some(Self { liveness, deletion })
    }
}

/// The entries of a row.
#[derive(Clone, Debug)]
pub struct RowEntries<'a> {
    reader: Reader<'a>,
    liveness: LivenessInfo,
}

impl<'a> Iterator for RowEntries<'a> {
    type Item = RowEntry<'a>;

    #[inline]
    fn next(&mut self) -> Option<RowEntry<'a>> {
        if self.reader.is_empty() {
            return None;
        }
        let reader = &mut self.reader;
        let column = reader.varint()?;
        let flags = reader.byte()?;
        let timestamp =
            if flags & SAME_TIMESTAMP != 0 { self.liveness.timestamp } else { reader.i64()? };
        if flags & IS_COLUMN_DELETION != 0 {
            let deletion = DeletionTime { timestamp, local_time: reader.i32()? };
            return Some(RowEntry::ColumnDeletion(column, deletion));
        }
        let (ttl, local_time) = match flags & (EXPIRES | SAME_EXPIRY | IS_TOMBSTONE) {
            0 => (NO_TTL, NO_DELETION_TIME),
            IS_TOMBSTONE => (NO_TTL, reader.i32()?),
            EXPIRES => (reader.i32()?, reader.i32()?),
            _ => (self.liveness.ttl, self.liveness.expires_at),
        };
        let path = if flags & HAS_PATH != 0 { Some(reader.bytes()?) } else { None };
        let value = if flags & IS_TOMBSTONE != 0 { &[][..] } else { reader.bytes()? };
        Some(RowEntry::Cell(Cell { column, path, timestamp, ttl, local_time, value }))
    }
}
