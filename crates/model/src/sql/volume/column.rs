//! Distinct values, sizes and numbers of elements.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};

use super::super::draft::ModelDraft;
use super::{assume, follows_from};
use crate::assumption::AssumptionTopic;
use crate::concept::{Attribute, AttributeRef, Entity, Origin, Stated};
use crate::directive::quantity::spell;
use crate::id::{EntityId, Numbered};
use crate::workload::{Column, Comparison, Read, Test, Workload};

/// Bytes of a text of which nothing is known.
pub(in crate::sql) const TEXT: f64 = 32.0;

/// Elements of an array of which nothing is known.
pub(crate) const ITEMS: f64 = 10.0;

/// Completes the figures of all attributes.
pub(super) fn complete(draft: &mut ModelDraft, entities: &mut [Entity], workload: &Workload) {
    let searched = searched(workload);
    for entity in entities.ids() {
        let known = known(entities, entity);
        let Entity { name, attributes, rows, .. } = &mut entities[entity];
        for ((id, attribute), known) in attributes.numbered_mut().zip(known) {
            complete_items(draft, attribute, name);
            complete_bytes(attribute);
            if attribute.distinct.origin != Origin::Assumed {
                warn_of_too_many(draft, attribute, name, *rows);
                continue;
            }
            let Some(known) = known else {
                attribute.distinct = distinct(attribute, rows.value);
                if searched.contains(&AttributeRef { entity, attribute: id }) {
                    assume_distinct(draft, attribute, name);
                }
                continue;
            };
            let value = known.value.min(rows.value);
            attribute.distinct = Stated { value, origin: follows_from(known.origin) };
        }
        assume_bytes(draft, &entities[entity]);
    }
}

/// There are no more values than rows (or elements).
fn warn_of_too_many(
    draft: &mut ModelDraft,
    attribute: &Attribute,
    entity: &str,
    rows: Stated<f64>,
) {
    let values = rows.value * attribute.items.value;
    let given = attribute.distinct.origin == Origin::Given && rows.origin == Origin::Given;
    if given && attribute.distinct.value > values {
        let (name, distinct) = (&attribute.name, spell(attribute.distinct.value));
        let message = format!(
            "{entity}.{name} is said to have {distinct} distinct values among {}",
            spell(values)
        );
        let help = format!("change @rows, or write @distinct {} or less", spell(values));
        draft.warn("MF261", attribute.span, message, help);
    }
}

fn assume_distinct(draft: &mut ModelDraft, attribute: &Attribute, entity: &str) {
    if attribute.distinct.origin == Origin::Assumed {
        let topic = AssumptionTopic::Distinct {
            entity: entity.to_owned(),
            attribute: attribute.name.clone(),
            values: attribute.distinct.value,
        };
        assume(draft, attribute.span, topic);
    }
}

/// How many values the attributes have that are keys (one for each row), or that refer to others, however far.
fn known(entities: &[Entity], entity: EntityId) -> Vec<Option<Stated<f64>>> {
    let mut known: Vec<_> = entities[entity].attributes.iter().map(|_| None).collect();
    let referring = entities[entity].references.iter().flat_map(|it| it.attributes.iter().copied());
    let keys = entities[entity].keys.iter().filter(|key| key.len() == 1).flatten().copied();
    for attribute in referring.chain(keys) {
        known[attribute.index()] = source(entities, AttributeRef { entity, attribute });
    }
    known
}

/// The figure at the end of the references that start from this attribute, never more than there are rows on the way.
fn source(entities: &[Entity], mut place: AttributeRef) -> Option<Stated<f64>> {
    let mut rows = f64::INFINITY;
    for _ in 0..REFERENCES {
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
        let found = match (known, next) {
            (Some(known), _) => known,
            (None, None) => distinct(attribute, entity.rows.value),
            (None, Some(next)) => {
                place = next;
                continue;
            }
        };
        return Some(Stated { value: found.value.min(rows), ..found });
    }
    None
}

/// References are not followed farther: they go in a circle.
const REFERENCES: usize = 32;

/// Distinct values by type, at most as many as there are values.
pub(crate) fn distinct(attribute: &Attribute, rows: f64) -> Stated<f64> {
    let (ty, values) = match &attribute.ty {
        Type::List(element, _) | Type::Set(element, _) => {
            (&**element, rows * attribute.items.value)
        }
        other => (other, rows),
    };
    let most = match ty {
        Type::Native(NativeType::Boolean) => return Stated::derived(2.0),
        Type::Native(NativeType::Smallint) => 100.0,
        Type::Native(NativeType::Date) => 3_650.0,
        Type::Native(NativeType::Time) => 86_400.0,
        Type::Native(
            NativeType::Text | NativeType::Int | NativeType::Bigint | NativeType::Inet,
        ) => 10_000.0,
        _ => values,
    };
    Stated::assumed(most.min(values).max(1.0))
}

fn complete_items(draft: &mut ModelDraft, attribute: &mut Attribute, entity: &str) {
    if attribute.items.origin != Origin::Assumed {
        return;
    }
    if !attribute.ty.is_collection() {
        attribute.items = Stated::derived(1.0);
        return;
    }
    attribute.items = Stated::assumed(ITEMS);
    let topic = AssumptionTopic::Items {
        entity: entity.to_owned(),
        attribute: attribute.name.clone(),
        items: ITEMS,
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
    attribute.bytes = bytes(ty);
}

/// Bytes of a value, by type; of an entry, for a map.
pub(crate) fn bytes(ty: &Type) -> Stated<f64> {
    #[expect(clippy::cast_precision_loss, reason = "types have few bytes")]
    if let Some(length) = ty.fixed_length() {
        return Stated::derived(length as f64);
    }
    let assumed = match ty {
        Type::Native(NativeType::Blob) => 1_000.0,
        Type::Native(NativeType::Smallint) => return Stated::derived(2.0),
        Type::Native(NativeType::Date) => return Stated::derived(4.0),
        Type::Native(NativeType::Time) => return Stated::derived(8.0),
        Type::Native(NativeType::Decimal | NativeType::Duration) => 8.0,
        Type::Native(NativeType::Inet) => 4.0,
        Type::Map(entry, _) => bytes(&entry.0).value + bytes(&entry.1).value,
        // Each field of a user type has its length in front.
        Type::User(user, _) => user.fields.iter().map(|(_, field)| 4.0 + bytes(field).value).sum(),
        Type::List(element, _) | Type::Set(element, _) => ITEMS * (4.0 + bytes(element).value),
        _ => TEXT,
    };
    Stated::assumed(assumed)
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

/// The attributes whose number of values decides how large the answers of queries are.
fn searched(workload: &Workload) -> BTreeSet<AttributeRef> {
    let mut searched = BTreeSet::new();
    for read in &workload.reads {
        let conditions = read.conditions.iter().filter_map(|condition| compared(&condition.test));
        for column in conditions.chain(read.group.iter().copied()) {
            searched.extend(place(read, column));
        }
    }
    searched
}

fn place(read: &Read, column: Column) -> Option<AttributeRef> {
    let entity = read.sources.at(column.source)?.entity;
    Some(AttributeRef { entity, attribute: column.attribute })
}

fn compared(test: &Test) -> Option<Column> {
    match test {
        Test::Compare { column, comparison: Comparison::Equal, .. }
        | Test::In { column, .. }
        | Test::AnyOf { column, .. }
        | Test::Holds { column, .. } => Some(*column),
        Test::Compare { .. } | Test::Row { .. } | Test::Prefix { .. } | Test::NotNull { .. } => {
            None
        }
    }
}
