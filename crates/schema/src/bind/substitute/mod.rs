//! Values for markers: a bound statement with every marker replaced by what a client sent for it.
//!
//! Afterwards [`super::check_execution`] refuses what the server refuses, and whoever carries the statement out sees
//! constants, calls and [`BoundTerm::Unset`] only. Unset remains where it has a meaning: as
//! the value of an operation (which then does nothing) and as an argument of a call (which is refused). The time is that
//! of the statement: set `now_ms` anew before a statement that was prepared earlier runs.

mod restriction;
mod select;
#[cfg(test)]
mod tests;
mod value;
mod write;

use value::ExecutionValues;

use super::term::BoundTerm;
use super::{BoundKind, BoundStatement};
use crate::refusal::CommandReason;
use crate::{Refusal, Result};

/// What a client sends for a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindValue {
    /// A value.
    Bytes(Box<[u8]>),
    /// Null.
    Null,
    /// Nothing: what is there stays.
    Unset,
}

/// What a call without markers gives; `None` leaves the call as it is, to be refused in its turn.
pub type CallEvaluator<'a> = dyn Fn(&BoundTerm) -> Option<BoundTerm> + 'a;

/// The statement with these values for its markers, in the order of the markers. The refusal of a wrong number is that of
/// a prepared statement; the server says `Invalid amount of bind variables` to one that is sent with its values.
/// Calls are computed outside of the selection, which has values for every row.
pub fn substitute(
    statement: &BoundStatement,
    values: &[BindValue],
    compute: &CallEvaluator<'_>,
) -> Result<BoundStatement> {
    let count = statement.markers.len();
    if values.len() != count {
        return Err(Refusal::new(
            CommandReason::BoundValues { count: count.to_string(), given: values.len() },
            statement.span,
        )
        .into());
    }
    let values = ExecutionValues {
        markers: &statement.markers,
        given: values,
        span: statement.span,
        now_ms: statement.now_ms,
        compute,
    };
    let kind = match &statement.kind {
        BoundKind::Select(select) => BoundKind::Select(select::select(&values, select)?.into()),
        BoundKind::Write(write) => BoundKind::Write(write::write(&values, write)?.into()),
        BoundKind::Batch(batch) => BoundKind::Batch(write::batch(&values, batch)?),
        other => other.clone(),
    };
    let BoundStatement { now_ms, span, .. } = *statement;
    Ok(BoundStatement { kind, markers: Vec::new(), now_ms, span })
}
