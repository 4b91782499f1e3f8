//! The bytes: rows in memory, the commit log that makes them durable, and how versions of one row become one.
//!
//! A write is a [`Mutation`]: it goes into the log as one record, then into its [`Table`]. A read asks the table for rows
//! of one partition, or partition after partition.

pub mod checkpoint;
pub mod clock;
pub mod comparable;
pub mod deletion;
pub mod disk;
mod error;
pub mod layout;
pub mod log;
mod partition;
pub mod position;
pub mod ranges;
mod record;
pub mod row;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod update;

pub use deletion::{Deletion, Liveness};
pub use error::Error;
pub use layout::{ColumnId, Layout};
pub use partition::{PartitionRead, RowsWanted};
pub use position::{PartitionKey, Position, Slice};
pub use ranges::RangeDeletion;
pub use row::{Cell, Entry, Row, RowBuilder};
pub use store::{DataDirectory, SchemaReplay, Store};
pub use table::{RingRange, Table};
pub use update::{Mutation, PartitionUpdate};
