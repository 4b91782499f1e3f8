//! The bytes: rows in memory, the commit log that makes them durable, and how versions of one row become one.
//!
//! A write is a [`Mutation`]: it goes into the log as one record, then into its [`Memtable`]. A read asks the table for rows
//! of one partition, or partition after partition.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

pub mod byte_comparable;
pub mod checkpoint;
#[expect(clippy::disallowed_methods, reason = "the real clock")]
pub mod clock;
pub mod commit_log;
pub mod deletion;
pub mod disk;
mod error;
pub mod layout;
mod memtable;
mod partition;
pub mod position;
pub mod range_tombstone;
mod record;
pub mod row;
mod store;
#[cfg(test)]
mod tests;
mod update;

pub use deletion::{DeletionTime, LivenessInfo};
pub use error::Error;
pub use layout::{ColumnId, Layout};
pub use memtable::{Memtable, RingRange};
pub use partition::{PartitionSlice, SliceFilter};
pub use position::{DecoratedKey, Position, Slice};
pub use range_tombstone::RangeTombstone;
pub use row::{Cell, Row, RowBuilder, RowEntry};
pub use store::{DataDirectory, SchemaReplay, Store};
pub use update::{Mutation, PartitionUpdate};
