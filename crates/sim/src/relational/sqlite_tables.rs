//! The tables of the relational database, and the indexes that keep its queries fast.

use std::collections::BTreeSet;

use model::concept::{Concept, Entity};
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::workload::{Comparison, Condition, Predicate, Workload, WriteKind};

/// A name in quotes.
pub(super) fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The statements that create the tables.
pub(super) fn table_statements(concept: &Concept) -> Vec<String> {
    concept.entities.iter().map(table_statement).collect()
}

/// The statements that create the indexes.
pub(super) fn index_statements(concept: &Concept, workload: &Workload) -> Vec<String> {
    let mut statements = Vec::new();
    for (position, (entity, columns)) in lookup_columns(concept, workload).into_iter().enumerate() {
        let Some(entity) = concept.entities.member(entity) else { continue };
        let columns = column_list(entity, &columns);
        let table = quote_name(&entity.name);
        statements.push(format!("CREATE INDEX \"index {position}\" ON {table} ({columns})"));
    }
    statements
}

/// Columns have no type affinity: a value is stored as it is.
fn table_statement(entity: &Entity) -> String {
    let mut parts: Vec<String> = entity
        .attributes
        .iter()
        .map(|attribute| {
            let start = if attribute.counter { " DEFAULT 0" } else { "" };
            format!("{}{start}", quote_name(&attribute.name))
        })
        .collect();
    for (at, key) in entity.keys.iter().enumerate() {
        let kind = if at == 0 { "PRIMARY KEY" } else { "UNIQUE" };
        parts.push(format!("{kind} ({})", column_list(entity, key)));
    }
    format!("CREATE TABLE {} ({})", quote_name(&entity.name), parts.join(", "))
}

fn column_list(entity: &Entity, attributes: &[AttributeId]) -> String {
    let named = attributes.iter().filter_map(|at| entity.attributes.member(*at));
    named.map(|attribute| quote_name(&attribute.name)).collect::<Vec<_>>().join(", ")
}

/// The columns that are looked up: references, and what is compared for equality.
fn lookup_columns(
    concept: &Concept,
    workload: &Workload,
) -> BTreeSet<(EntityId, Vec<AttributeId>)> {
    let mut found = BTreeSet::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        for reference in &entity.references {
            found.insert((at, reference.attributes.clone()));
        }
    }
    for read in &workload.reads {
        for (source, from) in read.sources.enumerate_ids() {
            let mut columns = equality_columns(&read.conditions, source);
            let own = |ordering: &&model::workload::SortColumn| ordering.column.source == source;
            let order = read.order.iter().take_while(own);
            columns.extend(order.map(|ordering| ordering.column.attribute));
            found.insert((from.entity, columns));
        }
    }
    for write in &workload.writes {
        if let WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) = &write.kind {
            found.insert((write.entity, equality_columns(conditions, SourceId::new(0))));
        }
    }
    found.retain(|(entity, columns)| {
        let primary = concept.entities.member(*entity).map(Entity::primary_key);
        !columns.is_empty() && primary.is_none_or(|key| !key.starts_with(columns))
    });
    found
}

/// The columns of a source that are compared for equality, each once.
fn equality_columns(conditions: &[Condition], source: SourceId) -> Vec<AttributeId> {
    let mut columns = Vec::new();
    for condition in conditions {
        let (Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. }) = &condition.predicate
        else {
            continue;
        };
        if column.source == source && !columns.contains(&column.attribute) {
            columns.push(column.attribute);
        }
    }
    columns
}
