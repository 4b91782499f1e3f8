//! The access plan of a bound statement: which partitions, rows and columns it touches, through which index, and what is
//! left to filter. EXPLAIN prints it, the linter judges it, the engine runs it.
//!
//! A plan is plain data, made once from what the binder found, while markers are still open. It says which restriction
//! does what by the restriction's place ([`RestrictionId`](crate::bind::restrictions::RestrictionId)), and so holds for
//! whatever values come: the engine looks up the operands of the statement that runs.

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

pub use batch::{BatchPlan, plan_batch};
pub use filter::{FilterScope, Filtering};
pub use index::{IndexSearch, IndexUse};
pub use partitions::{NamedKeys, Partitions};
pub use read::{ReadOrder, ReadPlan, plan_read};
pub use single_row::{SingleRow, SingleRowRead, SingleRowWrite};
pub use slice::{ClusteringSlice, ListedColumns, RangedColumns};
pub use write::{WriteEffect, WriteKey, WritePlan, WriteTarget, plan_write};

use crate::bind::BoundKind;

/// The access plan of a bound statement.
pub fn plan(bound: &BoundKind) -> AccessPlan {
    match bound {
        BoundKind::Select(select) => AccessPlan::Read(plan_read(select).into()),
        BoundKind::Write(write) => AccessPlan::Write(plan_write(write).into()),
        BoundKind::Batch(batch) => AccessPlan::Batch(plan_batch(batch)),
        BoundKind::Command(_) | BoundKind::Unbound => AccessPlan::Nothing,
    }
}

/// How a statement runs.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessPlan {
    /// SELECT
    Read(Arc<ReadPlan>),
    /// INSERT, UPDATE, DELETE
    Write(Arc<WritePlan>),
    /// BATCH
    Batch(BatchPlan),
    /// Schema changes, commands: no rows are touched by their keys.
    Nothing,
}

/// A number that is known, or that a marker or function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Known from the text.
    Known(usize),
    /// Known when it runs.
    Unknown,
}
