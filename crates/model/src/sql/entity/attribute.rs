//! Applies the directives of columns to attributes.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};

use super::super::draft::ModelDraft;
use super::super::table::{ColumnDeclaration, TableDeclaration};
use crate::concept::{Attribute, Entity, Figure, Skew};
use crate::directive::{Directive, DirectiveKind, DirectiveTarget};
use crate::id::IdList;

/// Applies the directives of all columns.
pub(super) fn apply_directives(
    draft: &mut ModelDraft,
    table: &TableDeclaration,
    entity: &mut Entity,
) {
    let references = entity.references.iter().flat_map(|it| it.attributes.iter().copied());
    let mut refers = vec![false; table.columns.len()];
    references.for_each(|attribute| refers[attribute.index()] = true);
    for (position, column) in table.columns.enumerate_ids() {
        let target = if refers[position.index()] {
            DirectiveTarget::ReferenceColumn
        } else {
            DirectiveTarget::Column
        };
        for directive in &column.directives {
            match directive.placement_error(target) {
                Some(misplaced) => draft.errors.push(misplaced),
                None => apply_directive(draft, &mut entity.attributes[position], column, directive),
            }
        }
    }
}

fn apply_directive(
    draft: &mut ModelDraft,
    attribute: &mut Attribute,
    column: &ColumnDeclaration,
    directive: &Directive,
) {
    if column.ty.is_none() {
        return;
    }
    let refusal = match directive.kind {
        DirectiveKind::Skew(exponent) => {
            attribute.skew = Skew::Zipf(exponent);
            None
        }
        DirectiveKind::Distinct(distinct) => {
            attribute.distinct = Figure::from_input(distinct);
            None
        }
        DirectiveKind::Bytes(bytes) => {
            attribute.bytes = Figure::from_input(bytes);
            size_refusal(&attribute.ty)
        }
        DirectiveKind::Items(items) => {
            items.apply_to(attribute);
            (!attribute.ty.is_collection()).then(|| "is not an array".to_owned())
        }
        DirectiveKind::Set => make_set(attribute),
        DirectiveKind::Time => {
            let uuid = attribute.ty == Type::Native(NativeType::Uuid);
            (!uuid).then(|| format!("is of type {}, not uuid", attribute.ty))
        }
        DirectiveKind::Exact => {
            attribute.exact = true;
            (!is_number(&attribute.ty))
                .then(|| format!("is of type {}, not a number", attribute.ty))
        }
        _ => None,
    };
    if let Some(reason) = refusal {
        let name = directive.kind.name();
        let message = format!("@{name} does not apply to {}, which {reason}", attribute.name);
        let help = format!("remove @{name}, or change the column");
        draft.report("MF212", directive.span, message, help);
    }
}

/// An array becomes a set.
fn make_set(attribute: &mut Attribute) -> Option<String> {
    match &attribute.ty {
        Type::List(element, _) if **element == Type::Native(NativeType::Duration) => {
            Some("contains intervals, which have no order".to_owned())
        }
        Type::List(element, _) => {
            attribute.ty = Type::Set(Arc::clone(element), Frozenness::No);
            None
        }
        _ => Some("is not an array".to_owned()),
    }
}

/// The reason why `@bytes` does not apply: the size is fixed.
fn size_refusal(ty: &Type) -> Option<String> {
    let value = match ty {
        Type::List(element, _) | Type::Set(element, _) => element,
        other => other,
    };
    value.value_length_if_fixed().map(|length| format!("always has {length} bytes"))
}

/// Whether it is numeric.
fn is_number(ty: &Type) -> bool {
    use NativeType::{Bigint, Decimal, Double, Float, Int, Smallint};
    matches!(ty, Type::Native(Bigint | Decimal | Double | Float | Int | Smallint))
}
