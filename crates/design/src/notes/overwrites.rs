//! Collections written as a whole: a tombstone precedes the elements, for what may have been there.

use model::concept::AttributeRef;
use model::id::{IdList, TableId};
use model::plan::topic::TableTopic;
use model::plan::{
    AssignmentOperator, Modification, Note, NoteKind, NoteSubject, Operand, PlannedColumn,
    PlannedStatement,
};
use model::workload::{AssignmentValue, WriteKind};

use super::review::{Review, statements};
use super::{collections, note};

/// Rows of a table from which it matters.
const ROWS: f64 = 10_000.0;

/// A note for each collection that is written as a whole more than once, in tables of which a read
/// returns many rows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let rows = table.volume.partitions * table.volume.rows_after(0.0).mean;
        if table.clustering().next().is_none() || rows < ROWS {
            continue;
        }
        for (column, of, _) in collections::find_collections(review, table) {
            let Some(source) = table.holds.sources.member(of.source) else { continue };
            let has_parts = is_changed_in_part(
                review,
                AttributeRef { entity: source.entity, attribute: of.attribute },
            );
            let (writers, inserts) = writers(review, at, column);
            let again = if has_parts { inserts > 0 } else { writers.len() > 1 };
            if !column.ty.is_multi_cell() || !again {
                continue;
            }
            let topic = TableTopic::OverwrittenCollection {
                table: table.name.clone(),
                column: column.name.clone(),
                ty: column.ty.clone(),
                writes: writers.into_iter().map(str::to_owned).collect(),
                changed_in_part: has_parts,
            };
            notes.push(note(NoteKind::Alternative, NoteSubject::Table(at), topic));
        }
    }
    notes
}

/// Whether a write appends to an array, or removes from it.
fn is_changed_in_part(review: Review<'_>, array: AttributeRef) -> bool {
    let writes = review.context.workload.writes.iter().filter(|write| write.entity == array.entity);
    writes
        .filter_map(|write| match &write.kind {
            WriteKind::Update(assignments, _) => Some(assignments),
            _ => None,
        })
        .flatten()
        .any(|one| {
            let in_part =
                matches!(one.value, AssignmentValue::Append(_) | AssignmentValue::Remove(_));
            one.attribute == array.attribute && in_part
        })
}

/// The names of the writes that write a column whole, once for each statement, and how many of
/// those insert.
fn writers<'a>(
    review: Review<'a>,
    table: TableId,
    column: &PlannedColumn,
) -> (Vec<&'a str>, usize) {
    let name = &column.name;
    let (mut writers, mut inserts) = (Vec::new(), 0);
    for (_, write, plan) in review.writes() {
        for statement in statements(plan).filter(|statement| statement.table == table) {
            let is_insert = is_inserted(statement, name);
            if is_insert || is_set(statement, name) {
                writers.push(write.name.as_str());
                inserts += usize::from(is_insert);
            }
        }
    }
    (writers, inserts)
}

fn is_inserted(statement: &PlannedStatement, name: &str) -> bool {
    let Modification::Insert(insert) = &statement.modification else { return false };
    insert.values.iter().any(|(column, _)| column == name)
}

fn is_set(statement: &PlannedStatement, name: &str) -> bool {
    let Modification::Update(update) = &statement.modification else { return false };
    update.assignments.iter().any(|assignment| {
        assignment.column == name
            && assignment.operator == AssignmentOperator::Set
            && !matches!(assignment.value, Operand::Literal(_))
    })
}
