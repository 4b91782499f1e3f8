//! `@time`: a uuid that is ordered by time is one wherever it is referred from.

use std::collections::{HashMap, HashSet};

use cql::types::{NativeType, Type};

use super::super::table::{Reading, Tables};
use crate::concept::Entity;
use crate::directive::{Directive, DirectiveKind};

/// An entity and an attribute.
type Place = (usize, usize);

/// Makes timeuuids of the columns with `@time` and of those that refer to them, however far.
pub(super) fn spread(reading: &mut Reading, tables: &Tables, entities: &mut [Entity]) {
    let is_uuid = |entities: &[Entity], (entity, attribute): Place| {
        entities[entity].attributes[attribute].ty == Type::Native(NativeType::Uuid)
    };
    let stated: Vec<(Place, &Directive)> =
        stated(tables).filter(|(at, _)| is_uuid(entities, *at)).collect();
    if stated.is_empty() {
        return;
    }
    let referrers = referrers(entities);
    let mut waiting: Vec<Place> = stated.iter().map(|(place, _)| *place).collect();
    let mut ordered: HashSet<Place> = waiting.iter().copied().collect();
    while let Some(place) = waiting.pop() {
        entities[place.0].attributes[place.1].ty = Type::Native(NativeType::Timeuuid);
        for &referrer in referrers.get(&place).into_iter().flatten() {
            if is_uuid(entities, referrer) && ordered.insert(referrer) {
                waiting.push(referrer);
            }
        }
    }
    for ((entity, attribute), directive) in stated {
        report_targets(reading, entities, (entity, attribute), directive);
    }
}

/// The columns with `@time`.
fn stated(tables: &Tables) -> impl Iterator<Item = (Place, &Directive)> {
    tables.list.iter().enumerate().flat_map(|(entity, table)| {
        table.columns.iter().enumerate().flat_map(move |(attribute, column)| {
            let time = column.directives.iter().filter(|it| it.kind == DirectiveKind::Time);
            time.map(move |directive| ((entity, attribute), directive))
        })
    })
}

/// Who refers to each attribute.
fn referrers(entities: &[Entity]) -> HashMap<Place, Vec<Place>> {
    let mut referrers: HashMap<Place, Vec<Place>> = HashMap::new();
    for (position, entity) in entities.iter().enumerate() {
        for reference in &entity.references {
            for (&from, &to) in reference.attributes.iter().zip(&reference.target_attributes) {
                referrers.entry((reference.target, to)).or_default().push((position, from));
            }
        }
    }
    referrers
}

/// A column cannot be ordered by time when what it refers to is not.
fn report_targets(reading: &mut Reading, entities: &[Entity], place: Place, directive: &Directive) {
    let entity = &entities[place.0];
    for reference in &entity.references {
        for (&from, &to) in reference.attributes.iter().zip(&reference.target_attributes) {
            let target = &entities[reference.target];
            if from == place.1 && target.attributes[to].ty == Type::Native(NativeType::Uuid) {
                let referred = format!("{}.{}", target.name, target.attributes[to].name);
                let name = &entity.attributes[from].name;
                let message =
                    format!("{name} is ordered by time and {referred}, which it refers to, is not");
                let help = format!("write @time at the end of the line of {referred}");
                reading.report("MF212", directive.span, message, help);
            }
        }
    }
}
