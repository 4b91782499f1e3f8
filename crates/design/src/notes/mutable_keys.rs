//! Keys that change: every change moves rows.

use std::collections::BTreeSet;

use model::concept::AttributeRef;
use model::id::{AttributeId, IdList};
use model::plan::topic::KeyTopic;
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::{AssignmentValue, Write, WriteKind};

use super::note;
use super::review::Review;

/// A warning for each write that changes a partition key.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, write, _) in review.writes() {
        let tables = find_key_changes(review, write);
        if tables.is_empty() {
            continue;
        }
        let attributes: BTreeSet<&str> = tables.iter().map(|(attribute, _)| *attribute).collect();
        let names: BTreeSet<&str> = tables.iter().map(|(_, table)| *table).collect();
        let topic = KeyTopic::Changed {
            write: write.name.clone(),
            attributes: attributes.into_iter().map(str::to_owned).collect(),
            tables: names.into_iter().map(str::to_owned).collect(),
            rate: write.rate.value,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Write(at), topic));
    }
    notes
}

/// What an update changes of the partition keys: attribute and table.
pub(super) fn find_key_changes<'a>(review: Review<'a>, write: &Write) -> Vec<(&'a str, &'a str)> {
    let WriteKind::Update(assignments, _) = &write.kind else { return Vec::new() };
    let mut moved = Vec::new();
    // One element more or less is one row more or less: no other row moves.
    let moving = assignments.iter().filter(|assignment| {
        !matches!(assignment.value, AssignmentValue::Append(_) | AssignmentValue::Remove(_))
    });
    let set: BTreeSet<AttributeId> = moving.map(|assignment| assignment.attribute).collect();
    let attributes = review.context.concept.entities.member(write.entity);
    let attributes = attributes.map(|entity| entity.attributes.as_slice()).unwrap_or_default();
    let generated = attributes.enumerate_ids().filter_map(|(at, attribute)| {
        let expression = attribute.generated.as_ref()?.expression.as_ref()?;
        expression.columns().into_iter().any(|input| set.contains(input)).then_some(at)
    });
    let generated: Vec<AttributeId> = generated.collect();
    for attribute in set.into_iter().chain(generated) {
        let key = AttributeRef { entity: write.entity, attribute };
        for table in review.tally.partitioned_by.get(&key).into_iter().flatten() {
            let attribute = &review.context.concept[key];
            moved.push((attribute.name.as_str(), review.design.tables[*table].name.as_str()));
        }
    }
    moved
}
