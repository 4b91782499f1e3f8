//! Collections, tuples and user types in a selection.

use std::sync::Arc;

use cql::selectable::Selectable;
use cql::types::{NativeType, Type, UserType};

use super::Expression;
use super::binding::{BoundSelectable, bind, type_or_expected};
use super::selectable::{PreparedSelectable, PreparedSelectableKind};
use super::typing::{field_position, prepare_entries, target_refusal};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::term::{cast_failure, class_of};
use crate::refusal::{SelectionReason, TypeReason, refuse};

/// Binds parts individually, each with its expected type.
pub(super) fn bind_each<'t>(
    cx: &mut Context<'_>,
    parts: &[PreparedSelectable<'_>],
    expected: impl Iterator<Item = Option<&'t Type>>,
    read: &mut Vec<usize>,
) -> Result<Vec<BoundSelectable>> {
    parts.iter().zip(expected).map(|(part, expected)| bind(cx, part, expected, read)).collect()
}

fn repeat_type(ty: &Type) -> impl Iterator<Item = Option<&Type>> {
    std::iter::repeat(Some(ty))
}

/// `(x, y)`, or `(x)`, which is x unless a tuple is expected.
pub(super) fn tuple(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    parts: &[PreparedSelectable<'_>],
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let ty = type_or_expected(cx, selected, expected)?;
    if let ([single], false) = (parts, matches!(ty, Type::Tuple(_))) {
        let bound = bind(cx, single, expected, read)?;
        return Ok(BoundSelectable { name: format!("({})", bound.name), ..bound });
    }
    let types = match &ty {
        Type::Tuple(_) | Type::User(..) => ty.parts(),
        other => return Err(cast_failure(&class_of(other), "TupleType", selected.span).into()),
    };
    let expected = types.into_iter().map(Some).chain(std::iter::repeat(None));
    let parts = bind_each(cx, parts, expected, read)?;
    Ok(collect(ty.clone(), ('(', ')'), parts))
}

/// `[x, y]`: a vector if one is expected, otherwise a list.
pub(super) fn array(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    parts: &[PreparedSelectable<'_>],
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    if let Some(expected @ Type::Vector(..)) = expected {
        let vector = vector_type(cx, selected, parts)?.unwrap_or_else(|| expected.clone());
        let Type::Vector(element, dimension) = &vector else {
            return Err(target_refusal(&vector, selected.span).into());
        };
        if u32::try_from(parts.len()) != Ok(*dimension) {
            return refuse(
                SelectionReason::VectorSelector { ty: vector.to_string(), given: parts.len() },
                selected.span,
            );
        }
        let parts = bind_each(cx, parts, repeat_type(element), read)?;
        return Ok(collect(vector.clone(), ('[', ']'), parts));
    }
    if let Some(other) = expected.filter(|ty| !matches!(ty, Type::List(..))) {
        return Err(target_refusal(other, selected.span).into());
    }
    let ty = type_or_expected(cx, selected, expected)?;
    let Type::List(element, _) = &ty else {
        return Err(cast_failure(&class_of(&ty), "ListType", selected.span).into());
    };
    let parts = bind_each(cx, parts, repeat_type(element), read)?;
    Ok(collect(ty.clone(), ('[', ']'), parts))
}

/// The type of a vector by its first element with a known type.
fn vector_type(
    cx: &Context<'_>,
    selected: &PreparedSelectable<'_>,
    parts: &[PreparedSelectable<'_>],
) -> Result<Option<Type>> {
    let keyspace = &selected.table.keyspace;
    let known = parts.iter().find_map(|part| part.exact_type(cx, keyspace).transpose());
    let dimension = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    Ok(known.transpose()?.map(|element| Type::Vector(Arc::new(element), dimension)))
}

/// `{x, y}`; without elements it may be a map.
pub(super) fn set(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    parts: &[PreparedSelectable<'_>],
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let ty = type_or_expected(cx, selected, expected)?;
    let element = match &ty {
        Type::Map(..) => {
            let expression = Expression::Map { ty: ty.clone(), entries: Vec::new() };
            return Ok(BoundSelectable::new("{}".to_owned(), ty, expression));
        }
        Type::Set(element, _) => element,
        other => return Err(cast_failure(&class_of(other), "SetType", selected.span).into()),
    };
    if **element == Type::Native(NativeType::Duration) {
        return refuse(TypeReason::DurationsInSet { ty: ty.to_string() }, selected.span);
    }
    let parts = bind_each(cx, parts, repeat_type(element), read)?;
    Ok(collect(ty.clone(), ('{', '}'), parts))
}

fn collect(ty: Type, (open, close): (char, char), parts: Vec<BoundSelectable>) -> BoundSelectable {
    let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
    let name = format!("{open}{}{close}", names.join(", "));
    let is_aggregate = parts.iter().any(|part| part.is_aggregate);
    let elements = parts.into_iter().map(|part| part.expression).collect();
    BoundSelectable {
        name,
        ty: ty.clone(),
        expression: Expression::Collection { ty, elements },
        is_aggregate,
    }
}

/// `{x: y}`: a user type if one is expected, otherwise a map.
pub(super) fn map(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    entries: &[(Selectable, Selectable)],
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let ty = type_or_expected(cx, selected, expected)?;
    let entry = match &ty {
        Type::User(user, _) => return user_type(cx, selected, (user, &ty), entries, read),
        Type::Map(entry, _) => entry.clone(),
        other => return Err(cast_failure(&class_of(other), "MapType", selected.span).into()),
    };
    if entry.0 == Type::Native(NativeType::Duration) {
        return refuse(TypeReason::DurationKeys { ty: ty.to_string() }, selected.span);
    }
    let PreparedSelectableKind::Map(own) = &selected.kind else {
        return Err(target_refusal(&ty, selected.span).into());
    };
    let mut names = Vec::with_capacity(entries.len());
    let mut bound = Vec::with_capacity(entries.len());
    let mut is_aggregate = false;
    for (key, value) in prepare_entries(cx, selected, own)? {
        let key = bind(cx, &key, Some(&entry.0), read)?;
        let value = bind(cx, &value, Some(&entry.1), read)?;
        names.push(format!("{}: {}", key.name, value.name));
        is_aggregate |= key.is_aggregate || value.is_aggregate;
        bound.push((key.expression, value.expression));
    }
    let name = format!("{{{}}}", names.join(", "));
    let expression = Expression::Map { ty: ty.clone(), entries: bound };
    Ok(BoundSelectable { name, ty, expression, is_aggregate })
}

fn user_type(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    (user, ty): (&UserType, &Type),
    entries: &[(Selectable, Selectable)],
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let mut names = Vec::with_capacity(entries.len());
    let mut fields = Vec::with_capacity(entries.len());
    let mut is_aggregate = false;
    for (key, value) in entries {
        let at = field_position(user, key)?;
        let Some((field, field_type)) = user.fields.get(at) else { continue };
        let value = PreparedSelectable::new(cx, selected.table, value)?;
        let value = bind(cx, &value, Some(field_type), read)?;
        names.push(format!("{field}: {}", value.name));
        is_aggregate |= value.is_aggregate;
        fields.push((at, value.expression));
    }
    let name = format!("{{{}}}", names.join(", "));
    let expression = Expression::UserType { ty: ty.clone(), fields };
    Ok(BoundSelectable { name, ty: ty.clone(), expression, is_aggregate })
}
