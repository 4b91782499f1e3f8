//! The values of terms.

use std::borrow::Cow;

use schema::bind::restrictions::{InList, Operand};
use schema::bind::term::BoundTerm;

use crate::error::Result;
use crate::execution::Execution;
use crate::function;

/// A value; none is null.
pub(crate) type Value<'t> = Option<Cow<'t, [u8]>>;

/// The value of a term.
pub(crate) fn value<'t>(execution: &Execution<'_>, term: &'t BoundTerm) -> Result<Value<'t>> {
    match term {
        BoundTerm::Value(value) => Ok(value.as_deref().map(Cow::Borrowed)),
        _ => Ok(function::evaluate(term, &execution.env())?.map(Cow::Owned)),
    }
}

/// The values of an operand, one per column.
pub(crate) fn values<'t>(
    execution: &Execution<'_>,
    operand: &'t Operand,
) -> Result<Vec<Value<'t>>> {
    operand.terms().iter().map(|term| value(execution, term)).collect()
}

/// The values of a list of operands.
pub(crate) fn lists<'t>(
    execution: &Execution<'_>,
    list: &'t InList,
) -> Result<Vec<Vec<Value<'t>>>> {
    match list {
        InList::Values(operands) => {
            operands.iter().map(|operand| values(execution, operand)).collect()
        }
        InList::Marker(_) => Ok(Vec::new()),
    }
}
