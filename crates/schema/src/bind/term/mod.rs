//! Terms: values in statements, checked against their receivers.
//!
//! [`prepare`] is the entry. Constants become bytes at once, markers and calls are evaluated at
//! execution; collections, tuples and user types become bytes if all of their parts are bytes
//! (`pack`). `literal` and `constant` check the forms of literals, `receiver` names the receivers
//! of parts, `typing` infers types, `text` prints terms as the server does.

mod constant;
mod literal;
mod pack;
mod receiver;
mod text;
mod typing;

use std::sync::Arc;

use cql::term::{Term, TermKind};
use cql::type_name::TypeName;
use cql::types::Type;

pub(super) use literal::{
    cast_failure, check_tuple, check_user_type, class_failure, class_of, is_descending,
    map_assignment, set_assignment,
};
pub use pack::{collection as pack_collection, map as pack_map};
pub(crate) use receiver::{
    field_receiver, index_receiver, key_receiver, list_receiver, tuple_list_receiver,
    tuple_receiver, value_receiver,
};
pub use text::text;
pub(super) use text::text_in;
pub(super) use typing::{exact_type, hint_assignment, suppress_refusal};

use super::assignment::AssignmentTestable;
use super::context::{Context, Receiver};
use super::function::{self, Function};
use super::types;
use crate::Result;
use crate::refusal::{TermReason, refuse};

/// A term that was checked against its receiver.
#[derive(Clone, Debug, PartialEq)]
pub enum BoundTerm {
    /// The serialised value; `None` is null.
    Value(Option<Box<[u8]>>),
    /// A bind marker, by its index.
    Marker(u32),
    /// A marker that the client left unset: the column stays unchanged. Created by substitution
    /// only.
    Unset,
    /// A call of a function, also of an operator or a cast.
    Call {
        /// The resolved overload.
        function: Arc<Function>,
        /// The arguments, as many as the function has.
        arguments: Vec<Self>,
    },
    /// A list, set, vector, tuple or user type that is not constant. Tuples may be shorter than
    /// their type.
    Collection {
        /// The type of the whole.
        ty: Type,
        /// In the order written; fields of user types in the order of the type.
        elements: Vec<Self>,
    },
    /// A map that is not constant.
    Map {
        /// The type of the whole.
        ty: Type,
        /// Keys and values in the order written.
        entries: Vec<(Self, Self)>,
    },
}

impl BoundTerm {
    /// Null.
    pub const NULL: Self = Self::Value(None);

    /// Whether it contains a bind marker.
    pub(crate) fn contains_marker(&self) -> bool {
        match self {
            Self::Value(_) | Self::Unset => false,
            Self::Marker(_) => true,
            Self::Call { arguments, .. } => arguments.iter().any(Self::contains_marker),
            Self::Collection { elements, .. } => elements.iter().any(Self::contains_marker),
            Self::Map { entries, .. } => {
                entries.iter().any(|(key, value)| key.contains_marker() || value.contains_marker())
            }
        }
    }

    /// Whether it is known before the execution: bytes or null.
    pub fn is_constant(&self) -> bool {
        matches!(self, Self::Value(_))
    }
}

/// Checks a term against its receiver and binds it; its markers are recorded in the context.
///
/// `partition_key` is the position of the partition key column, if the receiver is one.
pub fn prepare(
    cx: &mut Context<'_>,
    term: &Term,
    receiver: &Receiver,
    partition_key: Option<usize>,
) -> Result<BoundTerm> {
    match &term.kind {
        TermKind::Constant(constant) => constant::prepare(cx, constant, receiver, term.span),
        TermKind::Null if receiver.ty.is_counter() => {
            refuse(TermReason::NullCounterDelta, term.span)
        }
        TermKind::Null | TermKind::Placeholder(_) => Ok(BoundTerm::NULL),
        TermKind::Marker(marker) => {
            cx.add_marker(marker.index, receiver, partition_key);
            Ok(BoundTerm::Marker(marker.index))
        }
        TermKind::List(elements) => literal::prepare_array(cx, elements, receiver, term.span),
        TermKind::Set(elements) => literal::prepare_set(cx, elements, receiver, term.span),
        TermKind::Map(entries) => literal::prepare_map(cx, entries, receiver, term.span),
        TermKind::UserType(fields) => literal::prepare_user_type(cx, fields, receiver, term.span),
        TermKind::Tuple(elements) => match &elements[..] {
            [single] if !literal::is_tuple(&receiver.ty) => {
                prepare(cx, single, receiver, partition_key)
            }
            _ => literal::prepare_tuple(cx, elements, receiver, term.span),
        },
        TermKind::TypeHint(hint) => {
            check_hint(cx, term, hint, receiver)?;
            prepare(cx, &hint.1, receiver, partition_key)
        }
        TermKind::Call(..)
        | TermKind::Cast(..)
        | TermKind::Negate(_)
        | TermKind::Arithmetic(..) => function::prepare_call(cx, term, receiver),
    }
}

/// Binds the elements of a tuple to separate receivers, as in `(a, b) = (1, 2)`.
pub(crate) fn prepare_elements(
    cx: &mut Context<'_>,
    tuple: &Term,
    receivers: &[Receiver],
) -> Result<Vec<BoundTerm>> {
    let single = std::slice::from_ref(tuple);
    let elements = if let TermKind::Tuple(elements) = &tuple.kind { elements } else { single };
    if elements.len() != receivers.len() {
        return refuse(
            TermReason::TupleSize {
                expected: receivers.len(),
                given: elements.len(),
                tuple: text(tuple),
            },
            tuple.span,
        );
    }
    elements
        .iter()
        .zip(receivers)
        .map(|(term, receiver)| prepare(cx, term, receiver, None))
        .collect()
}

/// Checks `(type) value`: the value must fit the type, and the type the receiver.
fn check_hint(
    cx: &Context<'_>,
    term: &Term,
    (name, value): &(TypeName, Term),
    receiver: &Receiver,
) -> Result<()> {
    let keyspace = &receiver.keyspace;
    let ty = typing::resolve_hint(cx, keyspace, name)?;
    let hinted = Receiver { name: text_in(cx, term, keyspace).into(), ty, ..receiver.clone() };
    if !value.test_assignment(cx, &hinted)?.is_assignable() {
        return refuse(
            TermReason::CastHint {
                value: text_in(cx, value, keyspace),
                ty: types::text(name, Some(keyspace)),
            },
            value.span,
        );
    }
    if !term.test_assignment(cx, receiver)?.is_assignable() {
        return refuse(
            TermReason::Assign {
                value: hinted.name.to_string(),
                name: receiver.name.to_string(),
                ty: receiver.ty.to_string(),
            },
            term.span,
        );
    }
    Ok(())
}
