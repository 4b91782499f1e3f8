//! What the terms of a write give.

use std::borrow::Cow;

use cql::types::Type;
use cql::value;
use schema::bind::term::BoundTerm;

use crate::error::{Error, Result};
use crate::execution::Execution;
use crate::function::evaluate;

/// What a term gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given<'a> {
    /// Nothing: what it is for stays as it is.
    Unset,
    /// Null.
    Null,
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
}

/// Computes a term; constants are borrowed.
pub(super) fn given<'a>(execution: &Execution<'_>, term: &'a BoundTerm) -> Result<Given<'a>> {
    match term {
        BoundTerm::Value(Some(bytes)) => Ok(Given::Bytes(Cow::Borrowed(bytes))),
        BoundTerm::Value(None) => Ok(Given::Null),
        BoundTerm::Unset => Ok(Given::Unset),
        term => {
            let computed = evaluate(term, &execution.env())?;
            Ok(computed.map_or(Given::Null, |bytes| Given::Bytes(Cow::Owned(bytes))))
        }
    }
}

/// Computes a term of which the checks before the execution say that it is there.
pub(super) fn bytes<'a>(
    execution: &Execution<'_>,
    term: &'a BoundTerm,
    column: &str,
) -> Result<Cow<'a, [u8]>> {
    match given(execution, term)? {
        Given::Bytes(bytes) => Ok(bytes),
        Given::Null => {
            Err(Error::invalid(format!("Invalid null value in condition for column {column}")))
        }
        Given::Unset => Err(Error::invalid(format!("Invalid unset value for column {column}"))),
    }
}

/// The parts of a collection or user type.
pub(super) fn parts<'a>(ty: &Type, bytes: Cow<'a, [u8]>) -> Result<Vec<Option<Cow<'a, [u8]>>>> {
    let refuse = |error: value::ValueError| Error::invalid(error.to_string());
    Ok(match bytes {
        Cow::Borrowed(bytes) => {
            let parts = value::split(ty, bytes).map_err(refuse)?.into_iter();
            parts.map(|part| part.map(Cow::Borrowed)).collect()
        }
        Cow::Owned(bytes) => {
            let parts = value::split(ty, &bytes).map_err(refuse)?.into_iter();
            parts.map(|part| part.map(|part| Cow::Owned(part.to_vec()))).collect()
        }
    })
}
