//! Distinct values, sizes and numbers of elements.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};

use super::super::draft::ModelDraft;
use super::guess::{ColumnUses, guess_distinct};
use super::{assume, derive_origin};
use crate::assumption::{AssumptionTopic, DistinctReason};
use crate::concept::{Attribute, AttributeRef, Entity, Figure, Origin};
use crate::directive::quantity::spell;
use crate::id::{EntityId, IdList};
use crate::workload::{Column, Comparison, Predicate, Read, Workload};

/// The assumed bytes of a text.
pub(in crate::sql) const DEFAULT_TEXT_BYTES: f64 = 32.0;

/// The assumed elements of an array.
pub(crate) const DEFAULT_ITEMS: f64 = 10.0;

/// Completes the figures of all attributes.
pub(super) fn complete(draft: &mut ModelDraft, entities: &mut [Entity], workload: &Workload) {
    let searched = search_attributes(workload);
    let uses = ColumnUses::new(workload);
    for entity in entities.ids() {
        let known = distinct_from_keys(entities, entity);
        let guesses: Vec<_> = entities[entity]
            .attributes
            .ids()
            .map(|attribute| guess_distinct(entities, &uses, AttributeRef { entity, attribute }))
            .collect();
        let Entity { name, attributes, rows, .. } = &mut entities[entity];
        let figures = known.into_iter().zip(guesses);
        for ((id, attribute), (known, guess)) in attributes.enumerate_ids_mut().zip(figures) {
            complete_items(draft, attribute, name);
            complete_bytes(attribute);
            if attribute.distinct.origin != Origin::Assumed {
                warn_excess(draft, attribute, name, *rows);
                continue;
            }
            let Some(known) = known else {
                attribute.distinct = estimate_distinct(attribute, rows.value);
                let mut why = DistinctReason::Type;
                if let Some(guess) = guess.filter(|_| attribute.distinct.origin == Origin::Assumed)
                {
                    attribute.distinct = Figure::from_assumption(guess.values);
                    why = guess.why;
                }
                if searched.contains(&AttributeRef { entity, attribute: id }) {
                    assume_distinct(draft, attribute, name, why);
                }
                continue;
            };
            let value = known.value.min(rows.value);
            attribute.distinct = Figure { value, origin: derive_origin(known.origin) };
        }
        assume_bytes(draft, &entities[entity]);
    }
}

/// Warns about more distinct values than there are rows (or elements).
fn warn_excess(draft: &mut ModelDraft, attribute: &Attribute, entity: &str, rows: Figure<f64>) {
    let values = rows.value * attribute.items.value;
    let given = attribute.distinct.origin == Origin::Given && rows.origin == Origin::Given;
    if given && attribute.distinct.value > values {
        let (name, distinct) = (&attribute.name, spell(attribute.distinct.value));
        let message = format!(
            "{entity}.{name} is given {distinct} distinct values but has only {} values",
            spell(values)
        );
        let help = format!("change @rows, or write @distinct {} or less", spell(values));
        draft.warn("MF261", attribute.span, message, help);
    }
}

fn assume_distinct(
    draft: &mut ModelDraft,
    attribute: &Attribute,
    entity: &str,
    why: DistinctReason,
) {
    if attribute.distinct.origin == Origin::Assumed {
        let topic = AssumptionTopic::Distinct {
            entity: entity.to_owned(),
            attribute: attribute.name.clone(),
            values: attribute.distinct.value,
            why,
        };
        assume(draft, attribute.span, topic);
    }
}

/// The distinct values of the attributes that are keys (one for each row) or references, followed
/// through any number of entities.
fn distinct_from_keys(entities: &[Entity], entity: EntityId) -> Vec<Option<Figure<f64>>> {
    let mut known: Vec<_> = entities[entity].attributes.iter().map(|_| None).collect();
    let referring = entities[entity].references.iter().flat_map(|it| it.attributes.iter().copied());
    let keys = entities[entity].keys.iter().filter(|key| key.len() == 1).flatten().copied();
    for attribute in referring.chain(keys) {
        known[attribute.index()] = follow_references(entities, AttributeRef { entity, attribute });
    }
    known
}

/// The distinct values at the end of a chain of references from this attribute, at most the rows of
/// any entity on the way.
fn follow_references(entities: &[Entity], mut place: AttributeRef) -> Option<Figure<f64>> {
    let mut rows = f64::INFINITY;
    for _ in 0..REFERENCES_MAX {
        let entity = &entities[place.entity];
        let attribute = &entity.attributes[place.attribute];
        rows = rows.min(entity.rows.value);
        let known = match attribute.distinct {
            known if known.origin != Origin::Assumed => Some(known),
            _ if entity.keys.iter().any(|key| key.as_slice() == [place.attribute]) => {
                Some(entity.rows)
            }
            _ => None,
        };
        let next = entity.references.iter().find_map(|reference| {
            let at = reference.attributes.iter().position(|&at| at == place.attribute)?;
            Some(AttributeRef {
                entity: reference.target,
                attribute: reference.target_attributes[at],
            })
        });
        let figure = match (known, next) {
            (Some(known), _) => known,
            (None, None) => estimate_distinct(attribute, entity.rows.value),
            (None, Some(next)) => {
                place = next;
                continue;
            }
        };
        return Some(Figure { value: figure.value.min(rows), ..figure });
    }
    None
}

/// Longer chains of references are not followed: they are cycles.
const REFERENCES_MAX: usize = 32;

/// Distinct values by type, at most as many as there are values.
pub(crate) fn estimate_distinct(attribute: &Attribute, rows: f64) -> Figure<f64> {
    let (ty, values) = match &attribute.ty {
        Type::List(element, _) | Type::Set(element, _) => {
            (&**element, rows * attribute.items.value)
        }
        other => (other, rows),
    };
    let most = match ty {
        Type::Native(NativeType::Boolean) => return Figure::from_derivation(2.0),
        Type::Native(NativeType::Smallint) => 100.0,
        Type::Native(NativeType::Date) => 3_650.0,
        Type::Native(NativeType::Time) => 86_400.0,
        Type::Native(
            NativeType::Text | NativeType::Int | NativeType::Bigint | NativeType::Inet,
        ) => 10_000.0,
        _ => values,
    };
    Figure::from_assumption(most.min(values).max(1.0))
}

fn complete_items(draft: &mut ModelDraft, attribute: &mut Attribute, entity: &str) {
    if attribute.items.origin != Origin::Assumed {
        return;
    }
    if !attribute.ty.is_collection() {
        attribute.items = Figure::from_derivation(1.0);
        return;
    }
    attribute.items = Figure::from_assumption(DEFAULT_ITEMS);
    let topic = AssumptionTopic::Items {
        entity: entity.to_owned(),
        attribute: attribute.name.clone(),
        items: DEFAULT_ITEMS,
    };
    assume(draft, attribute.span, topic);
}

fn complete_bytes(attribute: &mut Attribute) {
    if attribute.bytes.origin != Origin::Assumed || attribute.bytes.value > 0.0 {
        return;
    }
    let ty = match &attribute.ty {
        Type::List(element, _) | Type::Set(element, _) => element,
        other => other,
    };
    attribute.bytes = estimate_bytes(ty);
}

/// Bytes of a value, by type; of an entry, for a map; of all fields, for a tuple or user type.
pub(crate) fn estimate_bytes(ty: &Type) -> Figure<f64> {
    #[expect(clippy::cast_precision_loss, reason = "types have few bytes")]
    if let Some(length) = ty.value_length_if_fixed() {
        return Figure::from_derivation(length as f64);
    }
    let assumed = match ty {
        Type::Native(NativeType::Blob) => 1_000.0,
        Type::Native(NativeType::Tinyint) => return Figure::from_derivation(1.0),
        Type::Native(NativeType::Smallint) => return Figure::from_derivation(2.0),
        Type::Native(NativeType::Date) => return Figure::from_derivation(4.0),
        Type::Native(NativeType::Time) => return Figure::from_derivation(8.0),
        Type::Native(NativeType::Decimal | NativeType::Duration) => 8.0,
        Type::Native(NativeType::Inet) => 4.0,
        Type::Map(entry, _) => estimate_bytes(&entry.0).value + estimate_bytes(&entry.1).value,
        Type::Tuple(_) | Type::User(..) => {
            ty.parts().into_iter().map(|field| estimate_bytes(field).value).sum()
        }
        Type::List(element, _) | Type::Set(element, _) => {
            DEFAULT_ITEMS * (4.0 + estimate_bytes(element).value)
        }
        _ => DEFAULT_TEXT_BYTES,
    };
    Figure::from_assumption(assumed)
}

/// One assumption for all columns of an entity whose sizes are guessed.
fn assume_bytes(draft: &mut ModelDraft, entity: &Entity) {
    let guessed = entity.attributes.iter().filter(|it| it.bytes.origin == Origin::Assumed);
    let sizes: Vec<_> = guessed.map(|it| (it.name.clone(), it.bytes.value)).collect();
    if !sizes.is_empty() {
        let topic = AssumptionTopic::Bytes { entity: entity.name.clone(), sizes };
        assume(draft, entity.span, topic);
    }
}

/// The attributes whose number of distinct values determines the size of query results.
fn search_attributes(workload: &Workload) -> BTreeSet<AttributeRef> {
    let mut searched = BTreeSet::new();
    for read in &workload.reads {
        let conditions =
            read.conditions.iter().filter_map(|condition| equality_column(&condition.predicate));
        for column in conditions.chain(read.group.iter().copied()) {
            searched.extend(attribute_ref(read, column));
        }
    }
    searched
}

fn attribute_ref(read: &Read, column: Column) -> Option<AttributeRef> {
    let entity = read.sources.member(column.source)?.entity;
    Some(AttributeRef { entity, attribute: column.attribute })
}

fn equality_column(predicate: &Predicate) -> Option<Column> {
    match predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. }
        | Predicate::Holds { column, .. } => Some(*column),
        Predicate::Compare { .. }
        | Predicate::Row { .. }
        | Predicate::Prefix { .. }
        | Predicate::NotNull { .. }
        | Predicate::Null { .. } => None,
    }
}
