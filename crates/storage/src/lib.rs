//! The storage engine: rows in memory, the commit log and the checkpoints that make them durable,
//! and the merge of versions of a row.
//!
//! - A write is a list of [`Mutation`]s (`update`). [`Store::apply`] (`store`) appends it to the
//!   log as one record (`commit_log`), then merges each [`PartitionUpdate`] into its table's
//!   [`Memtable`] (`memtable`, `partition`, `row`).
//! - A read takes a [`SliceFilter`] to the memtable and gets [`PartitionSlice`]s, of one partition
//!   or of partition after partition in token order.
//! - Opening a store reads the newest checkpoint (`checkpoint`) and replays the log after it. Both
//!   files consist of checksummed records (`record`) on a [`disk::Disk`].
//!
//! There is no flush and no compaction: all rows are in memory, merged when they are written, in
//! persistent maps, so that a [`MemtableVersion`] or a [`PartitionVersion`] is a pointer.
//! Positions (`position`) are byte-comparable encodings of clustering values (`byte_comparable`),
//! so that rows, slices and range tombstones are ordered by a plain comparison of bytes.

#![warn(clippy::indexing_slicing)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

pub mod byte_comparable;
pub mod checkpoint;
#[expect(clippy::disallowed_methods, reason = "the real clock")]
pub mod clock;
pub mod commit_log;
pub mod deletion;
pub mod disk;
mod error;
mod format_version;
pub mod layout;
mod memory;
mod memory_budget;
mod memtable;
mod partition;
pub mod position;
pub mod range_tombstone;
mod record;
mod recovery;
mod replay_buffer;
mod replay_pool;
pub mod row;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod update;

pub use deletion::{DeletionTime, LivenessInfo};
pub use error::Error;
pub use layout::{ColumnId, Layout};
pub use memory::{DerivedMemory, allocation_bytes};
pub use memtable::{Memtable, MemtableVersion, RingRange};
pub use partition::{PartitionSlice, PartitionVersion, SliceFilter, row_position};
pub use position::{DecoratedKey, Position, Slice};
pub use range_tombstone::RangeTombstone;
pub use recovery::{RecoveryReport, RecoveryWarning};
pub use replay_pool::{EachRecord, ReplayedRecord};
pub use row::{Cell, Row, RowBuilder, RowEntries, RowEntry};
pub use snapshot::StoreSnapshot;
pub use store::{DataDirectory, SchemaReplay, Store};
pub use update::{Mutation, PartitionUpdate};
