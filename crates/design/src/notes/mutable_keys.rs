//! Keys that change: every change moves rows.

use model::plan::{About, Note, NoteKind};
use model::workload::{AssignmentValue, Write, WriteKind};

use super::note;
use super::review::{Review, listed};
use crate::figures::rate;

/// A warning for each write that changes a partition key.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, write, _) in review.writes() {
        let tables = moved(review, write);
        if tables.is_empty() {
            continue;
        }
        let mut attributes: Vec<&str> = tables.iter().map(|(attribute, _)| *attribute).collect();
        let mut names: Vec<&str> = tables.iter().map(|(_, table)| *table).collect();
        for list in [&mut attributes, &mut names] {
            list.sort_unstable();
            list.dedup();
        }
        let message = format!(
            "`{}` changes {}, part of the partition key of {}: each time ({}) the row is deleted there and written anew",
            write.name,
            listed(&attributes),
            listed(&names),
            rate(write.rate.value)
        );
        let help =
            "search by an attribute that never changes, or accept a tombstone for each change";
        notes.push(note(NoteKind::Warning, About::Write(at), message, help));
    }
    notes
}

/// What an update changes of the partition keys: attribute and table.
pub(super) fn moved<'a>(review: Review<'a>, write: &Write) -> Vec<(&'a str, &'a str)> {
    let WriteKind::Update(assignments, _) = &write.kind else { return Vec::new() };
    let mut moved = Vec::new();
    for assignment in assignments {
        // One element more or less is one row more or less: no other row moves.
        if matches!(assignment.value, AssignmentValue::Append(_) | AssignmentValue::Remove(_)) {
            continue;
        }
        let key = (write.entity, assignment.attribute);
        for table in review.tally.partitioned_by.get(&key).into_iter().flatten() {
            let entity = &review.context.concept.entities[write.entity];
            let attribute = &entity.attributes[assignment.attribute];
            moved.push((attribute.name.as_str(), review.design.tables[*table].name.as_str()));
        }
    }
    moved
}
