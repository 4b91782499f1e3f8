//! The tables of the relational side, and the indexes that keep its answers fast.

use std::collections::BTreeSet;

use model::concept::{Concept, Entity};
use model::id::{AttributeId, EntityId, Numbered, SourceId};
use model::workload::{Comparison, Condition, Test, Workload, WriteKind};

/// A name in quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The statements that create the tables.
pub(super) fn tables(concept: &Concept) -> Vec<String> {
    concept.entities.iter().map(table).collect()
}

/// The statements that create the indexes.
pub(super) fn indexes(concept: &Concept, workload: &Workload) -> Vec<String> {
    let mut statements = Vec::new();
    for (position, (entity, columns)) in searched(concept, workload).into_iter().enumerate() {
        let Some(entity) = concept.entities.at(entity) else { continue };
        let columns = names(entity, &columns);
        let table = quoted(&entity.name);
        statements.push(format!("CREATE INDEX \"index {position}\" ON {table} ({columns})"));
    }
    statements
}

/// Columns have no type: a value stays what it is.
fn table(entity: &Entity) -> String {
    let mut parts: Vec<String> = entity
        .attributes
        .iter()
        .map(|attribute| {
            let start = if attribute.counter { " DEFAULT 0" } else { "" };
            format!("{}{start}", quoted(&attribute.name))
        })
        .collect();
    for (at, key) in entity.keys.iter().enumerate() {
        let kind = if at == 0 { "PRIMARY KEY" } else { "UNIQUE" };
        parts.push(format!("{kind} ({})", names(entity, key)));
    }
    format!("CREATE TABLE {} ({})", quoted(&entity.name), parts.join(", "))
}

fn names(entity: &Entity, attributes: &[AttributeId]) -> String {
    let named = attributes.iter().filter_map(|at| entity.attributes.at(*at));
    named.map(|attribute| quoted(&attribute.name)).collect::<Vec<_>>().join(", ")
}

/// The columns that are looked up: references, and what is compared for equality.
fn searched(concept: &Concept, workload: &Workload) -> BTreeSet<(EntityId, Vec<AttributeId>)> {
    let mut found = BTreeSet::new();
    for (at, entity) in concept.entities.numbered() {
        for reference in &entity.references {
            found.insert((at, reference.attributes.clone()));
        }
    }
    for read in &workload.reads {
        for (source, from) in read.sources.numbered() {
            let mut columns = compared(&read.conditions, source);
            let own = |ordering: &&model::workload::Ordering| ordering.column.source == source;
            let order = read.order.iter().take_while(own);
            columns.extend(order.map(|ordering| ordering.column.attribute));
            found.insert((from.entity, columns));
        }
    }
    for write in &workload.writes {
        if let WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) = &write.kind {
            found.insert((write.entity, compared(conditions, SourceId::new(0))));
        }
    }
    found.retain(|(entity, columns)| {
        let primary = concept.entities.at(*entity).map(Entity::primary_key);
        !columns.is_empty() && primary.is_none_or(|key| !key.starts_with(columns))
    });
    found
}

/// The columns of a source that are compared for equality, each once.
fn compared(conditions: &[Condition], source: SourceId) -> Vec<AttributeId> {
    let mut columns = Vec::new();
    for condition in conditions {
        let (Test::Compare { column, comparison: Comparison::Equal, .. }
        | Test::In { column, .. }
        | Test::AnyOf { column, .. }) = &condition.test
        else {
            continue;
        };
        if column.source == source && !columns.contains(&column.attribute) {
            columns.push(column.attribute);
        }
    }
    columns
}
