//! [`PartitionUpdate`] and [`Mutation`]: the changes of a write to one partition, and their
//! encoding in the commit log and in checkpoints.

use cql::TableId;

use crate::deletion::DeletionTime;
use crate::position::DecoratedKey;
use crate::range_tombstone::RangeTombstone;
use crate::row::Row;
use crate::row::bytes::{Reader, put_bytes, put_varint};

/// The changes of a write to one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionUpdate {
    /// The key of the partition.
    pub key: DecoratedKey,
    /// The deletion of the whole partition.
    pub deletion: DeletionTime,
    /// Range tombstones.
    pub ranges: Vec<RangeTombstone>,
    /// Changes of the static row.
    pub statics: Option<Row>,
    /// Changes of rows, in any order, each row once.
    pub rows: Vec<Row>,
}

impl PartitionUpdate {
    /// An empty update.
    pub fn new(key: DecoratedKey) -> Self {
        Self {
            key,
            deletion: DeletionTime::LIVE,
            ranges: Vec::new(),
            statics: None,
            rows: Vec::new(),
        }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.deletion.is_live()
            && self.ranges.is_empty()
            && self.statics.is_none()
            && self.rows.is_empty()
    }

    /// Whether it adds data, and not only deletions.
    pub(crate) fn has_content(&self) -> bool {
        self.rows.iter().chain(&self.statics).any(Row::has_content)
    }

    /// Appends its encoding.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put_bytes(out, self.key.key());
        put_deletion(out, self.deletion);
        put_varint(out, self.ranges.len());
        for range in &self.ranges {
            put_bytes(out, &range.start);
            put_bytes(out, &range.end);
            put_deletion(out, range.deletion);
        }
        put_bytes(out, self.statics.as_ref().map_or(&[], Row::as_bytes));
        put_varint(out, self.rows.len());
        for row in &self.rows {
            put_bytes(out, row.as_bytes());
        }
    }

    /// Decodes what [`Self::encode`] wrote. The token is not stored, but computed again.
    pub(crate) fn decode(reader: &mut Reader<'_>) -> Option<Self> {
        let mut update = Self::new(DecoratedKey::new(reader.bytes()?));
        update.deletion = read_deletion(reader)?;
        for _ in 0..reader.varint()? {
            let (start, end) = (reader.bytes()?.into(), reader.bytes()?.into());
            update.ranges.push(RangeTombstone { start, end, deletion: read_deletion(reader)? });
        }
        let statics = reader.bytes()?;
        if !statics.is_empty() {
            update.statics = Some(Row::from_bytes(statics)?);
        }
        for _ in 0..reader.varint()? {
            update.rows.push(Row::from_bytes(reader.bytes()?)?);
        }
        Some(update)
    }

    /// The key and the packed row of an update that is one row and nothing else, as most are.
    /// Other updates are left to [`Self::decode`].
    pub(crate) fn decode_single_row<'a>(reader: &mut Reader<'a>) -> Option<(&'a [u8], &'a [u8])> {
        let mut ahead = *reader;
        let key = ahead.bytes()?;
        let is_single = ahead.byte()? == 0
            && ahead.varint()? == 0
            && ahead.bytes()?.is_empty()
            && ahead.varint()? == 1;
        let row = if is_single { ahead.bytes()? } else { return None };
        *reader = ahead;
        Some((key, row))
    }
}

/// Appends a flag, and the timestamps if there is a deletion, which most updates do not have.
fn put_deletion(out: &mut Vec<u8>, deletion: DeletionTime) {
    out.push(u8::from(!deletion.is_live()));
    if !deletion.is_live() {
        out.extend(deletion.timestamp.to_be_bytes());
        out.extend(deletion.local_time.to_be_bytes());
    }
}

fn read_deletion(reader: &mut Reader<'_>) -> Option<DeletionTime> {
    match reader.byte()? {
        0 => Some(DeletionTime::LIVE),
        _ => Some(DeletionTime { timestamp: reader.i64()?, local_time: reader.i32()? }),
    }
}

/// An update of a partition of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The id of the table.
    pub table: TableId,
    /// The changes.
    pub update: PartitionUpdate,
}
