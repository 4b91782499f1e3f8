//! The substitution of values for markers: a bound statement with every marker replaced by the
//! client's value.
//!
//! Afterwards `check_execution` raises the server's errors, and the executor sees only
//! constants, calls and [`BoundTerm::Unset`]. Unset remains where it has a meaning: as the value of
//! an operation (which then does nothing) and as an argument of a call (which is refused). The time
//! is that of the statement: set `now_ms` again before executing a statement that was prepared
//! earlier.

mod restriction;
mod select;
#[cfg(test)]
mod tests;
mod value;
mod write;

use value::ExecutionValues;

use super::term::BoundTerm;
use super::{BoundKind, BoundStatement};
use crate::Result;
use crate::refusal::{CommandReason, refuse};

/// The client's value for a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindValue {
    /// A value.
    Bytes(Box<[u8]>),
    /// Null.
    Null,
    /// Unset: the column stays unchanged.
    Unset,
}

/// Evaluates a call without markers; `None` keeps the call, which is refused later.
pub type CallEvaluator<'a> = dyn Fn(&BoundTerm) -> Option<BoundTerm> + 'a;

/// The statement with values for its markers, in the order of the markers. The error for a wrong
/// number is that of a prepared statement; for one that is sent with its values the server has
/// `Invalid amount of bind variables`. Calls are evaluated except in the selection, which has a
/// value for every row.
pub fn substitute(
    statement: &BoundStatement,
    values: &[BindValue],
    compute: &CallEvaluator<'_>,
) -> Result<BoundStatement> {
    let count = statement.markers.len();
    if values.len() != count {
        return refuse(
            CommandReason::BoundValues { count: count.to_string(), given: values.len() },
            statement.span,
        );
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
