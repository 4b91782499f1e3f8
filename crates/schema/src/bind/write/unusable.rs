//! Values of operations that only a bind marker can have: unset and empty ones, lists with nulls.

use cql::types::Type;
use cql::value;

use super::{Operation, OperationKind};
use crate::Result;
use crate::bind::term::BoundTerm;
use crate::refusal::{ValueReason, refuse};

/// The error or failure of the server for an operation on a column of that type.
pub(super) fn check(ty: &Type, operation: &Operation) -> Result<()> {
    let is_empty = |term: &BoundTerm| matches!(term, BoundTerm::Value(Some(b)) if b.is_empty());
    let refuse = |reason: ValueReason| refuse(reason, operation.span);
    match (&operation.kind, ty) {
        (OperationKind::SetElement(BoundTerm::Unset, _), Type::List(..)) => {
            refuse(ValueReason::UnsetListIndex)
        }
        (
            OperationKind::SetElement(BoundTerm::Unset, _)
            | OperationKind::DeleteElement(BoundTerm::Unset),
            Type::Map(..),
        ) => refuse(ValueReason::UnsetMapKey),
        (
            OperationKind::SetElement(index, _) | OperationKind::DeleteElement(index),
            Type::List(..),
        ) if is_empty(index) => refuse(ValueReason::OutOfBounds),
        (OperationKind::Add(BoundTerm::Unset), Type::List(..)) => {
            no_collection(ty).map_or(Ok(()), refuse)
        }
        (OperationKind::Add(term) | OperationKind::Subtract(term), ty) if ty.is_counter() => {
            match term {
                BoundTerm::Value(None) => refuse(ValueReason::NullCounterIncrement),
                term if is_empty(term) => refuse(ValueReason::OutOfBounds),
                _ => Ok(()),
            }
        }
        (
            OperationKind::Set(BoundTerm::Value(Some(bytes)))
            | OperationKind::Add(BoundTerm::Value(Some(bytes)))
            | OperationKind::Prepend(BoundTerm::Value(Some(bytes))),
            Type::List(..),
        ) if ty.is_multi_cell() && has_null(ty, bytes) => refuse(ValueReason::NullListElement),
        _ => Ok(()),
    }
}

fn has_null(ty: &Type, bytes: &[u8]) -> bool {
    value::split(ty, bytes).is_ok_and(|parts| parts.iter().any(Option::is_none))
}

/// Java's text if the server treats an unset value as a collection.
pub(super) fn no_collection(ty: &Type) -> Option<ValueReason> {
    let kind = match ty {
        Type::List(..) => "Lists",
        Type::Set(..) => "Sets",
        Type::Map(..) => "Maps",
        _ => return None,
    };
    Some(ValueReason::UnsetCollection { kind })
}
