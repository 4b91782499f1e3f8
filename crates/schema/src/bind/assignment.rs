//! [`AssignmentTestable`]: which terms may be assigned to which receivers;
//! [`Type::test_assignment`] is the same for types.

pub use cql::types::Assignability;
use cql::types::Type;

use super::context::{Context, Receiver};
use super::term::value_receiver;
use crate::Result;

/// Combines the results of several parts: exact if all are, impossible as soon as one is. Later
/// parts are not tested then.
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

/// Whether elements can be assigned to a list, set or vector, each on its own.
pub(super) fn test_elements<T: AssignmentTestable>(
    cx: &Context<'_>,
    elements: &[T],
    receiver: &Receiver,
) -> Result<Assignability> {
    let Some(value) = value_receiver(receiver) else { return Ok(Assignability::No) };
    combine_all(elements.iter().map(|element| element.test_assignment(cx, &value)))
}

/// An expression that may be an argument or a value.
pub trait AssignmentTestable {
    /// Whether it can be assigned to the receiver. Errors are those that the server does not
    /// suppress while it tries overloads.
    fn test_assignment(&self, cx: &Context<'_>, receiver: &Receiver) -> Result<Assignability>;

    /// A type that can hold it, if one is known without a receiver.
    fn compatible_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>>;

    /// The text in messages.
    fn text(&self, cx: &Context<'_>, keyspace: &str) -> String;

    /// The number of elements of `[a, b]` in a selection, by which a vector argument is recognised.
    fn array_length(&self) -> Option<usize> {
        None
    }

    /// Whether it is `[...]` or `{...}`.
    fn is_collection_literal(&self) -> bool {
        false
    }

    /// Whether it is a clustering column in descending order. The server's type of it is a
    /// `ReversedType`, which is not a collection.
    fn is_descending(&self) -> bool {
        false
    }

    /// Whether it is a bare bind marker.
    fn is_marker(&self) -> bool {
        false
    }
}

/// The first of the types to which all of them can be assigned.
pub fn common_type(types: &[Type]) -> Option<&Type> {
    types.iter().find(|ty| types.iter().all(|other| other.test_assignment(ty).is_assignable()))
}
