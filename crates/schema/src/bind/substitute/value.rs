//! The values of an execution: validated against the types of their markers, and packed into the
//! terms around them.

use cql::Span;
use cql::types::Type;
use cql::value::{self, Value, ValueError};

use super::{BindValue, CallEvaluator};
use crate::bind::context::BoundMarker;
use crate::bind::term::{BoundTerm, pack_collection, pack_map};
use crate::refusal::{FormatReason, ValueReason, refuse};
use crate::{Refusal, Result};

/// The values of one execution.
pub(super) struct ExecutionValues<'a> {
    pub(super) markers: &'a [Option<BoundMarker>],
    pub(super) given: &'a [BindValue],
    pub(super) span: Span,
    pub(super) now_ms: i64,
    pub(super) compute: &'a CallEvaluator<'a>,
}

impl ExecutionValues<'_> {
    /// The value of a marker as it was sent.
    pub(super) fn raw_value(&self, marker: u32) -> &BindValue {
        self.given.get(marker as usize).unwrap_or(&BindValue::Null)
    }

    /// The type of a marker.
    pub(super) fn ty(&self, marker: u32) -> Option<&Type> {
        Some(&self.markers.get(marker as usize)?.as_ref()?.receiver.ty)
    }

    /// The term that replaces a marker.
    pub(super) fn marker(&self, marker: u32) -> Result<BoundTerm> {
        match (self.raw_value(marker), self.ty(marker)) {
            (BindValue::Null, _) | (_, None) => Ok(BoundTerm::NULL),
            (BindValue::Unset, _) => Ok(BoundTerm::Unset),
            (BindValue::Bytes(bytes), Some(ty)) => match normalise_bytes(ty, bytes) {
                Ok(bytes) => Ok(BoundTerm::Value(Some(bytes))),
                Err(error) => Err(self.refuse(ty, &error).into()),
            },
        }
    }

    /// The error for an invalid value; the server fails on invalid user types.
    fn refuse(&self, ty: &Type, error: &ValueError) -> Refusal {
        match (ty, error) {
            (Type::User(..), ValueError::Marshal(_) | ValueError::Truncated(_)) => {
                self.marshal_failure(error)
            }
            _ => Refusal::new(FormatReason::Value(error.clone()), self.span),
        }
    }

    /// The failure of the server on bytes that it cannot decode.
    pub(super) fn marshal_failure(&self, error: &ValueError) -> Refusal {
        self.failure(ValueReason::Unreadable { failure: error.clone() })
    }

    /// A failure of the server.
    pub(super) fn failure(&self, reason: ValueReason) -> Refusal {
        Refusal::new(reason, self.span)
    }

    /// A term without markers.
    pub(super) fn term(&self, term: &BoundTerm) -> Result<BoundTerm> {
        match term {
            BoundTerm::Value(_) | BoundTerm::Unset => Ok(term.clone()),
            BoundTerm::Marker(marker) => self.marker(*marker),
            BoundTerm::Call { function, arguments } => {
                let arguments = self.terms(arguments)?;
                let call = BoundTerm::Call { function: function.clone(), arguments };
                Ok((self.compute)(&call).unwrap_or(call))
            }
            BoundTerm::Collection { ty, elements } => {
                let elements = self.terms(elements)?.into_iter().enumerate();
                let set = elements.map(|(at, element)| self.part(ty, at, element));
                pack_collection(ty, set.collect::<Result<_>>()?, self.span)
            }
            BoundTerm::Map { ty, entries } => {
                let entries = entries.iter().map(|(k, v)| Ok((self.term(k)?, self.term(v)?)));
                pack_map(ty, entries.collect::<Result<_>>()?, self.span)
            }
        }
    }

    /// Several terms without markers.
    pub(super) fn terms(&self, terms: &[BoundTerm]) -> Result<Vec<BoundTerm>> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    /// A part of a literal: unset is not allowed there.
    fn part(&self, ty: &Type, at: usize, part: BoundTerm) -> Result<BoundTerm> {
        if part != BoundTerm::Unset {
            return Ok(part);
        }
        let reason = match ty {
            Type::Tuple(_) => ValueReason::UnsetTupleField { position: at.to_string() },
            Type::User(user, _) if !ty.is_multi_cell() => {
                let field = user.fields.get(at).map_or("", |(name, _)| name);
                let (field, ty) = (field.to_string(), user.name.to_string());
                ValueReason::UnsetTypeField { field, ty }
            }
            _ => return Ok(BoundTerm::NULL),
        };
        refuse(reason, self.span)
    }
}

/// The bytes as the server stores them: it decodes collections and encodes them again.
fn normalise_bytes(ty: &Type, bytes: &[u8]) -> std::result::Result<Box<[u8]>, ValueError> {
    if !ty.is_collection() {
        value::validate(ty, bytes)?;
        return Ok(bytes.into());
    }
    let read = normalise_value(ty, value::decode(ty, bytes)?)?;
    value::encode(ty, &read).map(Into::into)
}

/// A decoded collection: an empty element of a list is null, sets and maps have no duplicates.
fn normalise_value(ty: &Type, read: Value) -> std::result::Result<Value, ValueError> {
    match (ty, read) {
        (Type::List(element, _), Value::List(values)) => {
            let normalise = |value: Value| match value {
                Value::Empty => Ok(Value::Null),
                value => normalise_value(element, value),
            };
            Ok(Value::List(
                values.into_iter().map(normalise).collect::<std::result::Result<_, _>>()?,
            ))
        }
        (Type::Set(element, _), Value::Set(values)) => {
            let normalise = |value: Value| normalise_value(element, value);
            let values =
                values.into_iter().map(normalise).collect::<std::result::Result<Vec<_>, _>>()?;
            let values = distinct(element, values.into_iter().map(|value| (value, ())))?;
            Ok(Value::Set(values.into_iter().map(|(value, ())| value).collect()))
        }
        (Type::Map(entry, _), Value::Map(pairs)) => {
            let normalise = |(key, value): (Value, Value)| {
                Ok((normalise_value(&entry.0, key)?, normalise_value(&entry.1, value)?))
            };
            let pairs =
                pairs.into_iter().map(normalise).collect::<std::result::Result<Vec<_>, _>>()?;
            Ok(Value::Map(distinct(&entry.0, pairs.into_iter())?))
        }
        (_, read) => Ok(read),
    }
}

/// Of equal keys, the last one.
fn distinct<T>(
    ty: &Type,
    pairs: impl Iterator<Item = (Value, T)>,
) -> std::result::Result<Vec<(Value, T)>, ValueError> {
    let encoded = pairs.map(|(key, value)| Ok((value::encode(ty, &key)?, (key, value))));
    let mut sorted: Vec<_> = encoded.collect::<std::result::Result<_, ValueError>>()?;
    sorted.reverse();
    sorted.sort_by(|a, b| value::compare(ty, &a.0, &b.0));
    sorted.dedup_by(|a, b| value::compare(ty, &a.0, &b.0).is_eq());
    Ok(sorted.into_iter().map(|(_, pair)| pair).collect())
}

/// Whether a term is empty where a number is expected.
pub(super) fn is_empty(term: &BoundTerm) -> bool {
    matches!(term, BoundTerm::Value(Some(bytes)) if bytes.is_empty())
}

/// The server treats an unset value as empty where it does not check.
pub(super) fn unset_to_empty(term: BoundTerm) -> BoundTerm {
    if term == BoundTerm::Unset { BoundTerm::Value(Some(Box::default())) } else { term }
}
