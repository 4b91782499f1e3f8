//! The error of a schema statement.

use cql::Span;

use crate::refusal::Reason;
use crate::{Refusal, Result};

/// Refuses a statement for this reason.
pub(super) fn refuse<T>(reason: impl Into<Reason>, span: Span) -> Result<T> {
    Err(Refusal::new(reason, span).into())
}
