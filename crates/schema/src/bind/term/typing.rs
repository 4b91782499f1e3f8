//! The types of terms: whether they fit a receiver, and which type they have on their own.

use std::sync::Arc;

use cql::ErrorCode;
use cql::term::{Term, TermKind};
use cql::type_name::TypeName;
use cql::types::{Frozenness, Type};

use super::{constant, literal, text};
use crate::Result;
use crate::bind::assignment::{self, Assignability, AssignmentTestable};
use crate::bind::context::{Context, Receiver};
use crate::bind::{function, types};

impl AssignmentTestable for Term {
    fn test_assignment(&self, cx: &Context<'_>, receiver: &Receiver) -> Result<Assignability> {
        match &self.kind {
            TermKind::Constant(constant) => Ok(constant::test_assignment(constant, &receiver.ty)),
            TermKind::Null if receiver.ty.is_counter() => Ok(Assignability::No),
            TermKind::Null | TermKind::Marker(_) | TermKind::Placeholder(_) => {
                Ok(Assignability::Weak)
            }
            TermKind::List(elements) => {
                literal::array_assignment(cx, elements, receiver, self.span)
            }
            TermKind::Set(elements) => literal::set_assignment(cx, elements, receiver),
            TermKind::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| (key, value));
                literal::map_assignment(cx, entries, receiver, self.span)
            }
            TermKind::UserType(fields) => {
                let fields: Vec<_> =
                    fields.iter().map(|(name, term)| (&*name.text, term)).collect();
                suppress_refusal(literal::check_user_type(cx, &fields, receiver, self.span))
            }
            TermKind::Tuple(elements) => match &elements[..] {
                [single] if !literal::is_tuple(&receiver.ty) => {
                    single.test_assignment(cx, receiver)
                }
                _ => suppress_refusal(literal::check_tuple(cx, elements, receiver, self.span)),
            },
            TermKind::TypeHint(hint) => {
                let ty = resolve_hint(cx, &receiver.keyspace, &hint.0)?;
                if literal::is_descending(cx, receiver) {
                    return Ok(descending_assignment(&ty, &receiver.ty));
                }
                Ok(hint_assignment(&ty, &receiver.ty))
            }
            TermKind::Call(..)
            | TermKind::Cast(..)
            | TermKind::Negate(_)
            | TermKind::Arithmetic(..) => function::test_call_assignment(cx, self, receiver),
        }
    }

    fn is_collection_literal(&self) -> bool {
        matches!(self.kind, TermKind::List(_) | TermKind::Set(_) | TermKind::Map(_))
    }

    fn compatible_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>> {
        match &self.kind {
            TermKind::Constant(constant) => Ok(constant::preferred_type(constant).map(Into::into)),
            TermKind::Set(elements) => {
                let element = common_type(cx, elements.iter(), keyspace)?;
                Ok(element.map(|element| Type::Set(Arc::new(element), Frozenness::Yes)))
            }
            TermKind::Map(entries) => {
                let keys = entries.iter().map(|(key, _)| key);
                let Some(key) = common_type(cx, keys, keyspace)? else { return Ok(None) };
                let value = common_type(cx, entries.iter().map(|(_, value)| value), keyspace)?;
                Ok(value.map(|value| Type::Map(Arc::new((key, value)), Frozenness::Yes)))
            }
            _ => exact_type(cx, self, keyspace),
        }
    }

    fn text(&self, cx: &Context<'_>, keyspace: &str) -> String {
        text::text_in(cx, self, keyspace)
    }

    fn is_marker(&self) -> bool {
        matches!(self.kind, TermKind::Marker(_))
    }
}

/// Resolves the type of a hint. From then on, messages show the keyspace of its user types.
pub(super) fn resolve_hint(cx: &Context<'_>, keyspace: &str, name: &TypeName) -> Result<Type> {
    cx.calls.mark_resolved(name.span);
    types::resolve(cx.catalog, keyspace, name)
}

/// An error of the statement means no; a failure of the server is passed on.
pub(in crate::bind) fn suppress_refusal(checked: Result<()>) -> Result<Assignability> {
    match checked {
        Ok(()) => Ok(Assignability::Weak),
        Err(refusal) if refusal.error() == ErrorCode::Invalid => Ok(Assignability::No),
        Err(failure) => Err(failure),
    }
}

/// A type hint can be assigned where its type can; unlike elsewhere, frozen and non-frozen types
/// differ.
pub(in crate::bind) fn hint_assignment(hinted: &Type, receiver: &Type) -> Assignability {
    if hinted == receiver {
        Assignability::Exact
    } else if receiver.is_value_compatible_with(hinted) {
        Assignability::Weak
    } else {
        Assignability::No
    }
}

/// A column in descending order has a type that no hint names, and accepts user types as tuples.
fn descending_assignment(hinted: &Type, receiver: &Type) -> Assignability {
    let reads = match receiver {
        Type::User(..) => {
            let parts = receiver.parts().into_iter().cloned().collect();
            Type::Tuple(parts).is_value_compatible_with(hinted)
        }
        _ => receiver.is_value_compatible_with(hinted),
    };
    if reads { Assignability::Weak } else { Assignability::No }
}

/// The type of a term, if it can have only one. Constants never do.
pub(in crate::bind) fn exact_type(
    cx: &Context<'_>,
    term: &Term,
    keyspace: &str,
) -> Result<Option<Type>> {
    match &term.kind {
        TermKind::Constant(_)
        | TermKind::Null
        | TermKind::Marker(_)
        | TermKind::List(_)
        | TermKind::UserType(_)
        | TermKind::Placeholder(_) => Ok(None),
        TermKind::Set(elements) => {
            let element = first(cx, elements.iter(), keyspace)?;
            Ok(element.map(|element| Type::Set(Arc::new(element), Frozenness::Yes)))
        }
        TermKind::Map(entries) => {
            let key = first(cx, entries.iter().map(|(key, _)| key), keyspace)?;
            let value = first(cx, entries.iter().map(|(_, value)| value), keyspace)?;
            Ok(key.zip(value).map(|entry| Type::Map(Arc::new(entry), Frozenness::Yes)))
        }
        TermKind::Tuple(elements) => {
            let types = elements.iter().map(|element| exact_type(cx, element, keyspace));
            let types = types.collect::<Result<Option<Vec<Type>>>>()?;
            Ok(types.map(|types| Type::Tuple(types.iter().map(Type::freeze).collect())))
        }
        TermKind::TypeHint(hint) => resolve_hint(cx, keyspace, &hint.0).map(Some),
        TermKind::Call(..)
        | TermKind::Cast(..)
        | TermKind::Negate(_)
        | TermKind::Arithmetic(..) => function::call_type(cx, term, keyspace),
    }
}

fn first<'a>(
    cx: &Context<'_>,
    mut terms: impl Iterator<Item = &'a Term>,
    keyspace: &str,
) -> Result<Option<Type>> {
    terms.find_map(|term| exact_type(cx, term, keyspace).transpose()).transpose()
}

fn common_type<'a>(
    cx: &Context<'_>,
    terms: impl Iterator<Item = &'a Term>,
    keyspace: &str,
) -> Result<Option<Type>> {
    let types = terms.filter_map(|term| term.compatible_type(cx, keyspace).transpose());
    let types = types.collect::<Result<Vec<Type>>>()?;
    Ok(assignment::common_type(&types).cloned())
}
