//! The values of terms, and their combinations.

use std::borrow::Cow;

use cql::types::Type;
use schema::bind::restrictions::{Operand, Restriction};
use schema::bind::term::BoundTerm;

use crate::error::{Error, Result};
use crate::function::{self, Env};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TermValue<'t> {
    /// Unset: the column stays unchanged.
    Unset,
    /// Null.
    Null,
    /// Bytes.
    Bytes(Cow<'t, [u8]>),
}

/// A value; `None` is null.
pub(crate) type NullableValue<'t> = Option<Cow<'t, [u8]>>;

/// Evaluates a term; constants are borrowed.
pub(crate) fn evaluate<'t>(env: &Env<'_>, term: &'t BoundTerm) -> Result<TermValue<'t>> {
    match term {
        BoundTerm::Unset => Ok(TermValue::Unset),
        term => Ok(evaluate_nullable(env, term)?.map_or(TermValue::Null, TermValue::Bytes)),
    }
}

/// Evaluates a term that is not unset.
pub(crate) fn evaluate_nullable<'t>(
    env: &Env<'_>,
    term: &'t BoundTerm,
) -> Result<NullableValue<'t>> {
    match term {
        BoundTerm::Value(value) => Ok(value.as_deref().map(Cow::Borrowed)),
        _ => Ok(function::evaluate(term, env)?.map(Cow::Owned)),
    }
}

/// Evaluates a term that was validated to have a value.
pub(crate) fn evaluate_required<'t>(
    env: &Env<'_>,
    term: &'t BoundTerm,
    column: &str,
) -> Result<Cow<'t, [u8]>> {
    match evaluate(env, term)? {
        TermValue::Bytes(bytes) => Ok(bytes),
        TermValue::Null => {
            Err(Error::invalid(format!("Invalid null value in condition for column {column}")))
        }
        TermValue::Unset => Err(Error::invalid(format!("Invalid unset value for column {column}"))),
    }
}

/// The values of an operand, one per column.
pub(crate) fn evaluate_operand<'t>(
    env: &Env<'_>,
    operand: &'t Operand,
) -> Result<Vec<NullableValue<'t>>> {
    operand.terms().iter().map(|term| evaluate_nullable(env, term)).collect()
}

/// The values that a restriction lists: that of `=`, or those of IN.
pub(crate) fn evaluate_choices<'t>(
    env: &Env<'_>,
    restriction: &'t Restriction,
) -> Result<Vec<Vec<NullableValue<'t>>>> {
    restriction.choices().iter().map(|operand| evaluate_operand(env, operand)).collect()
}

/// Every prefix followed by every choice: the keys that several INs name together. Their number is
/// that of the combinations, so `check` is asked regularly whether they may take that much memory.
pub(crate) fn cartesian_product<T: Clone>(
    mut prefixes: Vec<Vec<T>>,
    choices: &[Vec<T>],
    check: &dyn Fn(usize) -> Result<()>,
) -> Result<Vec<Vec<T>>> {
    if let [only] = choices {
        for prefix in &mut prefixes {
            prefix.extend_from_slice(only);
        }
        return Ok(prefixes);
    }
    let columns = prefixes.first().map_or(0, Vec::len) + choices.first().map_or(0, Vec::len);
    let key_bytes = size_of::<Vec<T>>() + columns * size_of::<T>();
    let mut longer = Vec::new();
    for prefix in &prefixes {
        longer.extend(choices.iter().map(|choice| [&prefix[..], &choice[..]].concat()));
        check(longer.len().saturating_mul(key_bytes))?;
    }
    Ok(longer)
}

/// The components of a collection or user type.
pub(crate) fn split_parts<'a>(ty: &Type, bytes: Cow<'a, [u8]>) -> Result<Vec<NullableValue<'a>>> {
    let refuse = |error: cql::value::ValueError| Error::invalid(error.to_string());
    Ok(match bytes {
        Cow::Borrowed(bytes) => {
            let parts = cql::value::split(ty, bytes).map_err(refuse)?.into_iter();
            parts.map(|part| part.map(Cow::Borrowed)).collect()
        }
        Cow::Owned(bytes) => {
            let parts = cql::value::split(ty, &bytes).map_err(refuse)?.into_iter();
            parts.map(|part| part.map(|part| Cow::Owned(part.to_vec()))).collect()
        }
    })
}
