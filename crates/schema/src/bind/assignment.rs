//! What may be assigned to what, for things as they are written; [`Type::test_assignment`] says it for types.

pub use cql::types::Assignability;
use cql::types::Type;

use super::context::{Context, Receiver};
use super::term::value_receiver;
use crate::Result;

/// Of several parts: exact when all are, impossible as soon as one is. Later parts are not looked at then.
pub(super) fn combine_all(
    parts: impl IntoIterator<Item = Result<Assignability>>,
) -> Result<Assignability> {
    let mut whole = Assignability::Exact;
    for part in parts {
        match part? {
            Assignability::Exact => {}
            Assignability::Weak => whole = Assignability::Weak,
            Assignability::No => return Ok(Assignability::No),
        }
    }
    Ok(whole)
}

/// Whether elements fit a list, set or vector, each on its own.
pub(super) fn test_elements<T: AssignmentTestable>(
    cx: &Context<'_>,
    elements: &[T],
    receiver: &Receiver,
) -> Result<Assignability> {
    let Some(value) = value_receiver(receiver) else { return Ok(Assignability::No) };
    combine_all(elements.iter().map(|element| element.test_assignment(cx, &value)))
}

/// Something written that may be an argument or a value.
pub trait AssignmentTestable {
    /// Whether it fits the receiver. Refusals are those that the server does not hold back while it tries overloads.
    fn test_assignment(&self, cx: &Context<'_>, receiver: &Receiver) -> Result<Assignability>;

    /// A type that can hold it, if one can be told without knowing where it goes.
    fn compatible_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>>;

    /// As messages print it.
    fn text(&self, cx: &Context<'_>, keyspace: &str) -> String;

    /// `[a, b]` in a selection, with the number of its elements: a vector argument is recognised by it.
    fn array_length(&self) -> Option<usize> {
        None
    }

    /// `[...]`, `{...}`
    fn is_collection_literal(&self) -> bool {
        false
    }

    /// A clustering column in descending order. The server's type of it wraps the one it shows, and is no collection.
    fn is_descending(&self) -> bool {
        false
    }

    /// A bare bind marker in a value position.
    fn is_marker(&self) -> bool {
        false
    }
}

/// The first of the types that all of them may be assigned to.
pub fn common_type(types: &[Type]) -> Option<&Type> {
    types.iter().find(|ty| types.iter().all(|other| other.test_assignment(ty).is_assignable()))
}
