//! `@time`: a time-ordered uuid is a timeuuid in all columns that refer to it, too.

use std::collections::{HashMap, HashSet};

use cql::types::{NativeType, Type};

use super::super::draft::ModelDraft;
use super::super::table::TableDeclarations;
use crate::concept::{AttributeRef, Entity};
use crate::directive::{Directive, DirectiveKind};
use crate::id::IdList;

/// Makes timeuuids of the columns with `@time` and of those that refer to them, however far.
pub(super) fn propagate_timeuuids(
    draft: &mut ModelDraft,
    tables: &TableDeclarations,
    entities: &mut [Entity],
) {
    let is_uuid = |entities: &[Entity], place: AttributeRef| {
        entities[place.entity].attributes[place.attribute].ty == Type::Native(NativeType::Uuid)
    };
    let stated: Vec<(AttributeRef, &Directive)> =
        time_columns(tables).filter(|(at, _)| is_uuid(entities, *at)).collect();
    if stated.is_empty() {
        return;
    }
    let referrers = referrers(entities);
    let mut waiting: Vec<AttributeRef> = stated.iter().map(|(place, _)| *place).collect();
    let mut ordered: HashSet<AttributeRef> = waiting.iter().copied().collect();
    while let Some(place) = waiting.pop() {
        entities[place.entity].attributes[place.attribute].ty = Type::Native(NativeType::Timeuuid);
        for &referrer in referrers.get(&place).into_iter().flatten() {
            if is_uuid(entities, referrer) && ordered.insert(referrer) {
                waiting.push(referrer);
            }
        }
    }
    for (place, directive) in stated {
        report_targets(draft, entities, place, directive);
    }
}

/// The columns with `@time`.
fn time_columns(tables: &TableDeclarations) -> impl Iterator<Item = (AttributeRef, &Directive)> {
    tables.list.enumerate_ids().flat_map(|(entity, table)| {
        table.columns.enumerate_ids().flat_map(move |(attribute, column)| {
            let time = column.directives.iter().filter(|it| it.kind == DirectiveKind::Time);
            time.map(move |directive| (AttributeRef { entity, attribute }, directive))
        })
    })
}

/// The attributes that refer to each attribute.
fn referrers(entities: &[Entity]) -> HashMap<AttributeRef, Vec<AttributeRef>> {
    let mut referrers: HashMap<AttributeRef, Vec<AttributeRef>> = HashMap::new();
    for (holder, entity) in entities.enumerate_ids() {
        for reference in &entity.references {
            for (&from, &to) in reference.attributes.iter().zip(&reference.target_attributes) {
                let target = AttributeRef { entity: reference.target, attribute: to };
                let referrer = AttributeRef { entity: holder, attribute: from };
                referrers.entry(target).or_default().push(referrer);
            }
        }
    }
    referrers
}

/// Reports a `@time` column that refers to a column without it.
fn report_targets(
    draft: &mut ModelDraft,
    entities: &[Entity],
    place: AttributeRef,
    directive: &Directive,
) {
    let entity = &entities[place.entity];
    for reference in &entity.references {
        for (&from, &to) in reference.attributes.iter().zip(&reference.target_attributes) {
            let target = &entities[reference.target];
            if from == place.attribute && target.attributes[to].ty == Type::Native(NativeType::Uuid)
            {
                let referred = format!("{}.{}", target.name, target.attributes[to].name);
                let name = &entity.attributes[from].name;
                let message = format!(
                    "{name} is ordered by time, but {referred}, which it references, is not"
                );
                let help = format!("write @time at the end of the line of {referred}");
                draft.report("MF212", directive.span, message, help);
            }
        }
    }
}
