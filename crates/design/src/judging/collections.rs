//! Collections near their limit: read whole, and no place for what grows.

use model::concept::{Attribute, DAY};
use model::plan::{About, Derivation, Note, NoteKind, PlannedColumn, PlannedTable};
use model::workload::{AssignmentValue, WriteKind};

use super::judged::Judged;
use super::note;
use crate::figures::{bytes, counted, rate};

/// Elements of a collection that are recommended at most.
pub(super) const MOST_ELEMENTS: f64 = 100.0;
/// Bytes of a collection at most.
const MOST_BYTES: f64 = 64e3;
/// The share of a limit from which it is near.
const NEAR: f64 = 0.5;

/// The collections of a table: column and attribute.
pub(super) fn of<'a>(
    judged: Judged<'a>,
    table: &'a PlannedTable,
) -> impl Iterator<Item = (&'a PlannedColumn, &'a Attribute)> {
    table.columns.iter().filter_map(move |column| match column.derivation {
        Derivation::Attribute(of) if column.ty.is_collection() => {
            Some((column, judged.attribute(table, of)?))
        }
        _ => None,
    })
}

/// A warning for each collection that is near its limit or grows.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let mut seen: Vec<&Attribute> = Vec::new();
    let mut notes = Vec::new();
    for (at, table) in judged.tables() {
        for (column, attribute) in of(judged, table) {
            if seen.iter().any(|known| std::ptr::eq(*known, attribute)) {
                continue;
            }
            seen.push(attribute);
            let said = near(table, column, attribute);
            let grown = grows(judged, attribute)
                .map(|message| format!("`{}.{}`: {message}", table.name, column.name));
            let help = "model the elements as a table of their own with a reference, so that they can be paged";
            let messages = said.into_iter().chain(grown);
            notes.extend(messages.map(|message| Note {
                span: Some(attribute.span),
                ..note(NoteKind::Warning, About::Table(at), message, help)
            }));
        }
    }
    notes
}

fn near(table: &PlannedTable, column: &PlannedColumn, attribute: &Attribute) -> Option<String> {
    let items = attribute.items.value;
    let size = items * attribute.bytes.value;
    (items > NEAR * MOST_ELEMENTS || size > NEAR * MOST_BYTES).then(|| {
        format!(
            "`{}.{}` holds {} ({}), near the {} and {} that a collection should have at most",
            table.name,
            column.name,
            counted(items, "element"),
            bytes(size),
            counted(MOST_ELEMENTS, "element"),
            bytes(MOST_BYTES)
        )
    })
}

/// What appends to an array, if nothing takes away: elements per row and year.
fn grows(judged: Judged<'_>, attribute: &Attribute) -> Option<String> {
    let entities = &judged.context.concept.entities;
    let (entity, position) = entities.iter().enumerate().find_map(|(at, entity)| {
        let found = entity.attributes.iter().position(|other| std::ptr::eq(other, attribute));
        found.map(|position| (at, position))
    })?;
    let mut appended = 0.0;
    let mut name = None;
    for (_, write, _) in judged.writes().filter(|(_, write, _)| write.entity == entity) {
        let WriteKind::Update(assignments, _) = &write.kind else { continue };
        for assignment in assignments.iter().filter(|one| one.attribute == position) {
            match assignment.value {
                AssignmentValue::Append(_) => {
                    appended += write.rate.value;
                    name.get_or_insert(&write.name);
                }
                AssignmentValue::Remove(_) => appended -= write.rate.value,
                _ => {}
            }
        }
    }
    let yearly = appended * DAY * 365.25 / entities[entity].rows.value.max(1.0);
    let name = name.filter(|_| yearly + attribute.items.value > NEAR * MOST_ELEMENTS)?;
    Some(format!(
        "`{name}` appends {}, {} a row and year, and nothing bounds them",
        rate(appended),
        counted(yearly, "element")
    ))
}
