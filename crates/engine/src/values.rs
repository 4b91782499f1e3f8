//! Values for markers.

use model::bind::BoundStatement;

use crate::error::{Error, Result};
use crate::request::Values;

/// The statement with its markers replaced by values.
pub(crate) fn substitute(bound: &BoundStatement, values: &Values<'_>) -> Result<BoundStatement> {
    let count = match values {
        Values::None => 0,
        Values::Positional(values) => values.len(),
        Values::Named(values) => values.len(),
    };
    if bound.markers.is_empty() && count == 0 {
        return Ok(bound.clone());
    }
    Err(Error::invalid("values are not there yet"))
}

/// Refuses values for a statement without markers.
pub(crate) fn refuse_any(values: &Values<'_>) -> Result<()> {
    match values {
        Values::Positional(values) if !values.is_empty() => {
            Err(Error::invalid("Invalid amount of bind variables"))
        }
        _ => Ok(()),
    }
}
