//! The way in which a schema statement is refused.

use cql::Span;

use crate::refusal::Reason;
use crate::{Refusal, Result};

/// The server refuses, for this reason.
pub(super) fn refuse<T>(reason: impl Into<Reason>, span: Span) -> Result<T> {
    Err(Refusal::new(reason, span).into())
}
