//! Literals of collections, vectors, tuples and user types.

use cql::term::Term;
use cql::types::Type;
use cql::{Name, Span};

use super::receiver::{component_receiver, field_receiver, key_receiver, value_receiver};
use super::text::{sort_fields, text_in};
use super::{BoundTerm, pack, prepare};
use crate::bind::assignment::{self, Assignability, AssignmentTestable};
use crate::bind::context::{Context, Receiver};
use crate::refusal::{NameReason, TermReason, ValueReason, refuse};
use crate::{Refusal, Result};

/// Whether a literal in parentheses can be a tuple of this type. In the server, user types are
/// tuples.
pub(super) fn is_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_) | Type::User(..))
}

/// `[a, b]` as a list or a vector.
pub(super) fn prepare_array(
    cx: &mut Context<'_>,
    elements: &[Term],
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    match (&receiver.ty, value_receiver(receiver)) {
        (Type::Vector(_, dimension), Some(value)) => {
            prepare_vector(cx, elements, (receiver, &value), *dimension, span)
        }
        (Type::List(..), Some(value)) => {
            prepare_elements(cx, "list", elements, (receiver, &value), span)
        }
        _ => Err(array_refusal(receiver, span).into()),
    }
}

/// `{a, b}`; without elements it may be a map.
pub(super) fn prepare_set(
    cx: &mut Context<'_>,
    elements: &[Term],
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    match (&receiver.ty, value_receiver(receiver)) {
        (Type::Map(..), _) if elements.is_empty() => {
            if is_descending(cx, receiver) {
                return Err(cast_failure("MapType", "SetType", span).into());
            }
            pack::map(&receiver.ty, Vec::new(), span)
        }
        (Type::Set(..), Some(value)) => {
            prepare_elements(cx, "set", elements, (receiver, &value), span)
        }
        _ => Err(wrong_literal("set", receiver, span).into()),
    }
}

/// `{a: b}`
pub(super) fn prepare_map(
    cx: &mut Context<'_>,
    entries: &[(Term, Term)],
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    let (Some(key), Some(value)) = (key_receiver(receiver), value_receiver(receiver)) else {
        return Err(wrong_literal("map", receiver, span).into());
    };
    for (k, v) in entries {
        check_part(cx, ("map", "key"), k, (receiver, &key))?;
        check_part(cx, ("map", "value"), v, (receiver, &value))?;
    }
    let mut bound = Vec::with_capacity(entries.len());
    for (k, v) in entries {
        let entry = (prepare(cx, k, &key, None)?, prepare(cx, v, &value, None)?);
        if entry.0.contains_marker() || entry.1.contains_marker() {
            return Err(marker_inside("map", receiver, k.span.union(v.span)).into());
        }
        bound.push(entry);
    }
    pack::map(&receiver.ty, bound, span)
}

fn prepare_vector(
    cx: &mut Context<'_>,
    elements: &[Term],
    (receiver, value): (&Receiver, &Receiver),
    dimension: u32,
    span: Span,
) -> Result<BoundTerm> {
    if u32::try_from(elements.len()) != Ok(dimension) {
        return refuse(
            TermReason::VectorSize {
                name: receiver.name.to_string(),
                ty: receiver.ty.to_string(),
                dimension: dimension.to_string(),
                given: elements.len(),
            },
            span,
        );
    }
    let mut bound = Vec::with_capacity(elements.len());
    for element in elements {
        check_part(cx, ("vector", "value"), element, (receiver, value))?;
        bound.push(prepare(cx, element, value, None)?);
    }
    pack::collection(&receiver.ty, bound, span)
}

/// `(a, b)` as a tuple; also as a user type.
pub(super) fn prepare_tuple(
    cx: &mut Context<'_>,
    elements: &[Term],
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    check_tuple(cx, elements, receiver, span)?;
    let mut bound = Vec::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        let Some(component) = component_receiver(receiver, i) else { break };
        bound.push(prepare(cx, element, &component, None)?);
    }
    pack::collection(&receiver.ty, bound, span)
}

/// `{field: value}`; missing fields are null.
pub(super) fn prepare_user_type(
    cx: &mut Context<'_>,
    fields: &[(Name, Term)],
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    let named: Vec<(&str, &Term)> = fields.iter().map(|(name, term)| (&*name.text, term)).collect();
    check_user_type(cx, &named, receiver, span)?;
    let Type::User(user, _) = &receiver.ty else {
        return Err(wrong_literal("user type", receiver, span).into());
    };
    let mut bound = Vec::with_capacity(user.fields.len());
    for (i, (name, _)) in user.fields.iter().enumerate() {
        let Some(field) = field_receiver(receiver, i) else { break };
        bound.push(match last_field(&named, name) {
            Some(term) => prepare(cx, term, &field, None)?,
            None if field.ty.is_counter() => {
                return refuse(ValueReason::NullIncrement, span);
            }
            None => BoundTerm::NULL,
        });
    }
    let mut written = sort_fields(fields).into_iter();
    if let Some((unknown, _)) = written.find(|(name, _)| user.position(&name.text).is_none()) {
        return refuse(
            NameReason::UnknownField { field: unknown.text.to_string(), ty: user.name.to_string() },
            unknown.span,
        );
    }
    pack::collection(&receiver.ty, bound, span)
}

/// The last of the fields with that name, which is the one that counts.
fn last_field<'a, T>(fields: &[(&str, &'a T)], name: &str) -> Option<&'a T> {
    fields.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// Whether `[a, b]` can be assigned: only to a list or a vector.
pub(super) fn array_assignment(
    cx: &Context<'_>,
    elements: &[Term],
    receiver: &Receiver,
    span: Span,
) -> Result<Assignability> {
    match &receiver.ty {
        Type::Vector(_, dimension) if u32::try_from(elements.len()) != Ok(*dimension) => {
            Ok(Assignability::No)
        }
        Type::Vector(..) => assignment::test_elements(cx, elements, receiver),
        Type::List(..) if elements.is_empty() => Ok(Assignability::Weak),
        Type::List(..) => assignment::test_elements(cx, elements, receiver),
        _ => Err(array_refusal(receiver, span).into()),
    }
}

/// Whether `{a, b}` can be assigned.
pub(in crate::bind) fn set_assignment<T: AssignmentTestable>(
    cx: &Context<'_>,
    elements: &[T],
    receiver: &Receiver,
) -> Result<Assignability> {
    match &receiver.ty {
        Type::Map(..) | Type::Set(..) if elements.is_empty() => Ok(Assignability::Weak),
        Type::Set(..) => assignment::test_elements(cx, elements, receiver),
        _ => Ok(Assignability::No),
    }
}

/// Whether `{a: b}` can be assigned. The server assumes that the receiver is a map, and fails
/// otherwise.
pub(in crate::bind) fn map_assignment<'a, T: AssignmentTestable + 'a>(
    cx: &Context<'_>,
    entries: impl Iterator<Item = (&'a T, &'a T)>,
    receiver: &Receiver,
    span: Span,
) -> Result<Assignability> {
    let (Some(key), Some(value)) = (key_receiver(receiver), value_receiver(receiver)) else {
        return Err(cast_failure(&class_of(&receiver.ty), "MapType", span).into());
    };
    let mut whole = Assignability::Exact;
    for (k, v) in entries {
        let parts = (k.test_assignment(cx, &key)?, v.test_assignment(cx, &value)?);
        match parts {
            (Assignability::No, _) | (_, Assignability::No) => return Ok(Assignability::No),
            (Assignability::Exact, Assignability::Exact) => {}
            _ => whole = Assignability::Weak,
        }
    }
    Ok(whole)
}

/// Refuses a tuple that does not fit.
pub(in crate::bind) fn check_tuple<T: AssignmentTestable>(
    cx: &Context<'_>,
    elements: &[T],
    receiver: &Receiver,
    span: Span,
) -> Result<()> {
    if !is_tuple(&receiver.ty) {
        return Err(wrong_literal("tuple type", receiver, span).into());
    }
    let size = receiver.ty.parts().len();
    for (i, element) in elements.iter().enumerate() {
        let Some(component) = component_receiver(receiver, i) else {
            return refuse(
                TermReason::TupleTooLong {
                    name: receiver.name.to_string(),
                    ty: receiver.ty.to_string(),
                    expected: size.to_string(),
                    given: elements.len(),
                },
                span,
            );
        };
        if !element.test_assignment(cx, &component)?.is_assignable() {
            return refuse(
                TermReason::TupleComponent {
                    name: receiver.name.to_string(),
                    component: i.to_string(),
                    ty: component.ty.to_string(),
                },
                span,
            );
        }
    }
    Ok(())
}

/// Refuses a user type literal that does not fit; unknown fields are ignored.
pub(in crate::bind) fn check_user_type<T: AssignmentTestable>(
    cx: &Context<'_>,
    fields: &[(&str, &T)],
    receiver: &Receiver,
    span: Span,
) -> Result<()> {
    let Type::User(user, _) = &receiver.ty else {
        return Err(wrong_literal("user type", receiver, span).into());
    };
    for (i, (name, _)) in user.fields.iter().enumerate() {
        let (Some(value), Some(field)) = (last_field(fields, name), field_receiver(receiver, i))
        else {
            continue;
        };
        if !value.test_assignment(cx, &field)?.is_assignable() {
            return refuse(
                TermReason::FieldType {
                    name: receiver.name.to_string(),
                    field: name.to_string(),
                    ty: field.ty.to_string(),
                },
                span,
            );
        }
    }
    Ok(())
}

/// Refuses a part of a literal; the positions are those of the whole and of the part.
fn check_part(
    cx: &Context<'_>,
    (what, part): (&str, &str),
    term: &Term,
    (receiver, inner): (&Receiver, &Receiver),
) -> Result<()> {
    if term.test_assignment(cx, inner)?.is_assignable() {
        return Ok(());
    }
    refuse(
        TermReason::ElementType {
            what: what.to_string(),
            name: receiver.name.to_string(),
            part: part.to_string(),
            element: text_in(cx, term, &receiver.keyspace),
            ty: inner.ty.to_string(),
        },
        term.span,
    )
}

/// The elements of a list or a set; the positions are those of the whole and of an element.
fn prepare_elements(
    cx: &mut Context<'_>,
    what: &str,
    elements: &[Term],
    (receiver, inner): (&Receiver, &Receiver),
    span: Span,
) -> Result<BoundTerm> {
    for element in elements {
        check_part(cx, (what, "value"), element, (receiver, inner))?;
    }
    let mut bound = Vec::with_capacity(elements.len());
    for element in elements {
        let term = prepare(cx, element, inner, None)?;
        if term.contains_marker() {
            return Err(marker_inside(what, receiver, element.span).into());
        }
        bound.push(term);
    }
    pack::collection(&receiver.ty, bound, span)
}

fn marker_inside(what: &str, receiver: &Receiver, span: Span) -> Refusal {
    Refusal::new(
        TermReason::MarkerInside { what: what.to_string(), name: receiver.name.to_string() },
        span,
    )
    .with_help("bind the whole collection to one marker")
}

fn wrong_literal(what: &str, receiver: &Receiver, span: Span) -> Refusal {
    Refusal::new(
        TermReason::WrongLiteral {
            what: what.to_string(),
            name: receiver.name.to_string(),
            ty: receiver.ty.to_string(),
        },
        span,
    )
}

fn array_refusal(receiver: &Receiver, span: Span) -> Refusal {
    Refusal::new(TermReason::UnexpectedArray { ty: receiver.ty.to_string() }, span)
}

/// Whether the receiver is a clustering column in descending order. The server's type of such a
/// column is a `ReversedType`, which makes a difference in a few places.
pub(in crate::bind) fn is_descending(cx: &Context<'_>, receiver: &Receiver) -> bool {
    let table = cx.catalog.table(&receiver.keyspace, &receiver.table);
    table
        .and_then(|table| table.column(&receiver.name))
        .is_some_and(|column| column.descending && column.ty == receiver.ty)
}

/// The simple class name of a type.
pub(in crate::bind) fn class_of(ty: &Type) -> String {
    let name = ty.unfreeze().class_name();
    let head = name.split('(').next().unwrap_or_default();
    head.rsplit('.').next().unwrap_or_default().to_owned()
}

/// The failure of a server that casts one type to another.
pub(in crate::bind) fn cast_failure(from: &str, to: &str, span: Span) -> Refusal {
    let class = |simple: &str| format!("org.apache.cassandra.db.marshal.{simple}");
    class_failure(&class(from), &class(to), span)
}

/// The same for any classes, with their packages.
pub(in crate::bind) fn class_failure(from: &str, to: &str, span: Span) -> Refusal {
    Refusal::new(TermReason::ClassCast { from: from.to_string(), to: to.to_string() }, span)
}
