//! The access plan of a bound statement: which partitions, rows and columns it touches, through
//! which index, and what must be filtered. EXPLAIN prints it, the linter judges it, the engine
//! executes it: one plan for all three, so that what is reported is what runs.
//!
//! A plan is plain data, built once from a bound statement whose markers may have no values yet. It
//! refers to restrictions by [`RestrictionId`](crate::bind::restrictions::RestrictionId) and holds
//! for any values: the engine takes the operands from the statement that it executes.
//!
//! - `read`, `write` and `batch` are the plans of statements;
//! - `partitions` is which partitions, `slice` which rows of each, by the clustering columns;
//! - `index` is the choice of indexes, `filter` what rows are checked for and over what;
//! - `single_row` recognises the statements that the engine's fast path executes.

mod batch;
mod filter;
mod index;
mod partitions;
mod read;
mod single_row;
mod slice;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

pub use batch::BatchPlan;
pub(crate) use batch::plan_batch;
pub use filter::{FilterScope, Filtering};
pub use index::{IndexSearch, IndexUse};
pub use partitions::{NamedKeys, Partitions};
pub use read::{ReadOrder, ReadPlan, plan_read};
pub use single_row::{SingleRow, SingleRowRead, SingleRowWrite};
pub use slice::{ClusteringSlice, ListedColumns, RangedColumns};
pub use write::{WriteEffect, WriteKey, WritePlan, WriteTarget, plan_write};

use crate::bind::BoundKind;

/// Builds the access plan of a bound statement.
pub fn plan(bound: &BoundKind) -> AccessPlan {
    match bound {
        BoundKind::Select(select) => AccessPlan::Read(plan_read(select).into()),
        BoundKind::Write(write) => AccessPlan::Write(plan_write(write).into()),
        BoundKind::Batch(batch) => AccessPlan::Batch(plan_batch(batch)),
        BoundKind::Command(_) | BoundKind::Unbound => AccessPlan::Nothing,
    }
}

/// The access plan of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessPlan {
    /// SELECT
    Read(Arc<ReadPlan>),
    /// INSERT, UPDATE, DELETE
    Write(Arc<WritePlan>),
    /// BATCH
    Batch(BatchPlan),
    /// Schema changes and other commands, which access no rows by key.
    Nothing,
}

/// A number that the text gives, or that a marker or function gives at execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Known from the text.
    Known(usize),
    /// Known only at execution.
    Unknown,
}
