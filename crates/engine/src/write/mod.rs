//! INSERT, UPDATE, DELETE and BATCH.

use model::bind::write::{BoundBatch, BoundWrite};

use crate::answer::Outcome;
use crate::error::{Error, Result};
use crate::execution::Execution;

/// Carries out a write without markers, whose values have been checked.
pub(crate) fn write(_execution: &Execution<'_>, _write: &BoundWrite) -> Result<Outcome> {
    Err(Error::server("writes are not there yet"))
}

/// Carries out a batch.
pub(crate) fn batch(_execution: &Execution<'_>, _batch: &BoundBatch) -> Result<Outcome> {
    Err(Error::server("batches are not there yet"))
}
