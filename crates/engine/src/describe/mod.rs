//! DESCRIBE.

use cql::statement::describe::Describe;

use crate::answer::Rows;
use crate::error::{Error, Result};
use crate::execution::Execution;

/// Answers DESCRIBE.
pub(crate) fn describe(_execution: &Execution<'_>, _describe: &Describe) -> Result<Rows> {
    Err(Error::server("DESCRIBE is not there yet"))
}
