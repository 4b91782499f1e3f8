//! Values that only a bind marker can bring into an operation: unset ones, empty ones, lists with nulls in them.

use cql::types::Type;
use cql::{ErrorCode, value};

use super::{Operation, OperationKind};
use crate::bind::context::invalid;
use crate::bind::term::BoundTerm;
use crate::{Refusal, Result};

/// Java's words for reading past the end of a buffer.
const OUT_OF_BOUNDS: &str = "java.lang.IndexOutOfBoundsException";
/// Java's words for a list element that is null.
const NULL_ELEMENT: &str = "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.remaining()\" because \"value\" is null";

/// What the server refuses, or fails on, of an operation on a column of that type.
pub(super) fn check(ty: &Type, operation: &Operation) -> Result<()> {
    let is_empty = |term: &BoundTerm| matches!(term, BoundTerm::Value(Some(b)) if b.is_empty());
    let refuse = |message: &str| Err(invalid("QV028", message, operation.span).into());
    let fail = |message: String| {
        Err(Refusal::text("QV028", ErrorCode::Server, message, operation.span).into())
    };
    match (&operation.kind, ty) {
        (OperationKind::SetElement(BoundTerm::Unset, _), Type::List(..)) => {
            refuse("Invalid unset value for list index")
        }
        (
            OperationKind::SetElement(BoundTerm::Unset, _)
            | OperationKind::DeleteElement(BoundTerm::Unset),
            Type::Map(..),
        ) => refuse("Invalid unset map key"),
        (
            OperationKind::SetElement(index, _) | OperationKind::DeleteElement(index),
            Type::List(..),
        ) if is_empty(index) => fail(OUT_OF_BOUNDS.to_owned()),
        (OperationKind::Add(BoundTerm::Unset), Type::List(..)) => {
            fail(no_collection(ty).unwrap_or_default())
        }
        (OperationKind::Add(term) | OperationKind::Subtract(term), ty) if ty.is_counter() => {
            match term {
                BoundTerm::Value(None) => refuse("Invalid null value for counter increment"),
                term if is_empty(term) => fail(OUT_OF_BOUNDS.to_owned()),
                _ => Ok(()),
            }
        }
        (
            OperationKind::Set(BoundTerm::Value(Some(bytes)))
            | OperationKind::Add(BoundTerm::Value(Some(bytes)))
            | OperationKind::Prepend(BoundTerm::Value(Some(bytes))),
            Type::List(..),
        ) if ty.is_multi_cell() && has_null(ty, bytes) => fail(NULL_ELEMENT.to_owned()),
        _ => Ok(()),
    }
}

fn has_null(ty: &Type, bytes: &[u8]) -> bool {
    value::split(ty, bytes).is_ok_and(|parts| parts.iter().any(Option::is_none))
}

/// Java's words where the server takes an unset value for a collection.
pub(super) fn no_collection(ty: &Type) -> Option<String> {
    let kind = match ty {
        Type::List(..) => "Lists",
        Type::Set(..) => "Sets",
        Type::Map(..) => "Maps",
        _ => return None,
    };
    let unset = "org.apache.cassandra.cql3.Constants$Value";
    let wanted = format!("org.apache.cassandra.cql3.{kind}$Value");
    Some(format!(
        "java.lang.ClassCastException: class {unset} cannot be cast to class {wanted} ({unset} and {wanted} are in \
         unnamed module of loader 'app')"
    ))
}
