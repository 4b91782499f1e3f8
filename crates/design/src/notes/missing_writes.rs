//! Writes that the workload lacks: rows that are said to be added and are inserted by nothing,
//! support tables that nothing fills, columns that are read and never written.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::{Attribute, AttributeRef, DAY, Entity, Origin};
use model::id::{AttributeId, EntityId, IdList};
use model::plan::topic::WriteGapTopic;
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::{OutputValue, Read, WriteKind};

use super::note;
use super::review::Review;

/// The warnings; none for a workload without any writes, of which nothing is lacking in particular.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    if review.context.workload.writes.is_empty() {
        return Vec::new();
    }
    let mut notes = find_missing_inserts(review);
    notes.extend(find_unfilled_tables(review));
    notes.extend(find_unwritten_columns(review));
    notes
}

/// Entities that grow, as the file says, and that no write inserts.
fn find_missing_inserts(review: Review<'_>) -> Vec<Note> {
    let inserted = find_inserted_entities(review);
    let entities = review.context.concept.entities.enumerate_ids();
    let lacking = entities.filter(|(at, entity)| !inserted.contains(at) && grows(entity) > 0.0);
    lacking
        .map(|(at, entity)| {
            let topic = WriteGapTopic::NeverInserted {
                entity: entity.name.clone(),
                rate: grows(entity) / DAY,
            };
            let about = NoteSubject::Entity(at);
            Note { span: Some(entity.span), ..note(NoteKind::Warning, about, topic) }
        })
        .collect()
}

/// New rows per day, as far as the file gives them.
fn grows(entity: &Entity) -> f64 {
    if entity.grows.origin == Origin::Assumed { 0.0 } else { entity.grows.value }
}

/// The entities of which writes insert rows.
fn find_inserted_entities(review: Review<'_>) -> BTreeSet<EntityId> {
    let writes = review.context.workload.writes.iter();
    writes.filter(|write| write.row_rate() > 0.0).map(|write| write.entity).collect()
}

/// Tables that only help writes, and that no write fills.
fn find_unfilled_tables(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.design.tables.enumerate_ids() {
        let is_support = table.serves.is_empty() && !table.supports.is_empty();
        let writes = review.tally.writes_of_table.get(at.index());
        if !is_support || writes.is_some_and(|writes| !writes.is_empty()) {
            continue;
        }
        let writes =
            table.supports.iter().filter_map(|it| review.context.workload.writes.member(*it));
        let topic = WriteGapTopic::UnfilledTable {
            table: table.name.clone(),
            writes: writes.map(|write| write.name.clone()).collect(),
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}

/// Columns of inserted rows that a query uses and that no write gives a value.
fn find_unwritten_columns(review: Review<'_>) -> Vec<Note> {
    let inserted = find_inserted_entities(review);
    let written = list_written_attributes(review);
    let mut found: BTreeMap<EntityId, BTreeMap<AttributeId, &str>> = BTreeMap::new();
    for (_, read, _) in review.reads() {
        for used in list_used_attributes(read) {
            let is_lacking = inserted.contains(&used.entity) && !written.contains(&used);
            let attribute = review.context.concept.entities.member(used.entity);
            let attribute = attribute.and_then(|it| it.attributes.member(used.attribute));
            if is_lacking && attribute.is_some_and(is_set_by_writes_only) {
                found.entry(used.entity).or_default().entry(used.attribute).or_insert(&read.name);
            }
        }
    }
    let mut notes = Vec::new();
    for (at, columns) in found {
        let Some(entity) = review.context.concept.entities.member(at) else { continue };
        let reads: BTreeSet<&str> = columns.values().copied().collect();
        let names = columns.keys().filter_map(|it| entity.attributes.member(*it));
        let topic = WriteGapTopic::UnwrittenColumns {
            entity: entity.name.clone(),
            columns: names.map(|attribute| attribute.name.clone()).collect(),
            reads: reads.into_iter().map(str::to_owned).collect(),
        };
        let about = NoteSubject::Entity(at);
        notes.push(Note { span: Some(entity.span), ..note(NoteKind::Warning, about, topic) });
    }
    notes
}

/// Whether nothing but a write can give an attribute a value, and none is required to.
fn is_set_by_writes_only(attribute: &Attribute) -> bool {
    attribute.nullable && attribute.default.is_none() && attribute.generated.is_none()
}

/// The attributes that a query shows, tests or is ordered by.
fn list_used_attributes(read: &Read) -> Vec<AttributeRef> {
    let shown = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(of)
        | OutputValue::Sum(of)
        | OutputValue::Average(of)
        | OutputValue::Least(of)
        | OutputValue::Greatest(of) => Some(of),
        OutputValue::Count(of) => of,
        OutputValue::Exists => None,
    });
    let tested = read.conditions.iter().flat_map(|it| it.predicate.columns().iter().copied());
    let ordered = read.order.iter().map(|sort| sort.column);
    let columns = shown.chain(tested).chain(ordered);
    columns
        .filter_map(|of| {
            let entity = read.sources.member(of.source)?.entity;
            Some(AttributeRef { entity, attribute: of.attribute })
        })
        .collect()
}

/// The attributes that writes set.
fn list_written_attributes(review: Review<'_>) -> BTreeSet<AttributeRef> {
    let mut found = BTreeSet::new();
    for write in &review.context.workload.writes {
        let mut open = vec![&write.kind];
        let mut set = Vec::new();
        while let Some(kind) = open.pop() {
            match kind {
                WriteKind::Insert(values) => set.extend(values.iter().map(|(at, _)| *at)),
                WriteKind::Update(assignments, _) => {
                    set.extend(assignments.iter().map(|it| it.attribute));
                }
                WriteKind::Upsert(upsert) => {
                    set.extend(upsert.values.iter().map(|(at, _)| *at));
                    let update = upsert.update.iter().flat_map(|(assignments, _)| assignments);
                    set.extend(update.map(|it| it.attribute));
                }
                WriteKind::Rows(rows) => open.extend(rows),
                WriteKind::Delete(_) => {}
            }
        }
        let refs =
            set.into_iter().map(|attribute| AttributeRef { entity: write.entity, attribute });
        found.extend(refs);
    }
    found
}
