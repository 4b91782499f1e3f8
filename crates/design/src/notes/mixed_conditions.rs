//! Rows that some writes change with a condition and others without: a lightweight transaction and a
//! plain write are not ordered with each other.

use std::collections::BTreeSet;

use model::id::TableId;
use model::plan::topic::WriteTopic;
use model::plan::{IfClause, Modification, Note, NoteKind, NoteSubject, PlannedStatement};

use super::note;
use super::review::{Review, statements};

/// What writes change with a condition in one table.
struct ConditionalWrites<'a> {
    names: BTreeSet<&'a str>,
    columns: BTreeSet<&'a str>,
}

/// A warning for each write that changes without a condition what others change with one.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let Some(conditional) = find_conditional(review, at) else { continue };
        for (write_at, write, plan) in review.writes() {
            let plain = statements(plan).filter(|it| it.table == at && !is_conditional(it));
            let mut columns = BTreeSet::new();
            let mut is_delete = false;
            for statement in plain {
                let changed = columns_of_change(statement);
                is_delete |= changed.is_none();
                let shared = changed.into_iter().flatten();
                columns.extend(shared.filter(|name| conditional.columns.contains(name)));
            }
            if columns.is_empty() && !is_delete {
                continue;
            }
            let topic = WriteTopic::MixedConditions {
                write: write.name.clone(),
                table: table.name.clone(),
                columns: columns.into_iter().map(str::to_owned).collect(),
                conditional: conditional.names.iter().map(|&name| name.to_owned()).collect(),
                is_delete,
            };
            notes.push(note(NoteKind::Warning, NoteSubject::Write(write_at), topic));
        }
    }
    notes
}

/// The conditional writes of a table.
fn find_conditional(review: Review<'_>, at: TableId) -> Option<ConditionalWrites<'_>> {
    let mut found = ConditionalWrites { names: BTreeSet::new(), columns: BTreeSet::new() };
    for (_, write, plan) in review.writes() {
        for statement in statements(plan).filter(|it| it.table == at && is_conditional(it)) {
            found.names.insert(&write.name);
            found.columns.extend(columns_of_change(statement).into_iter().flatten());
        }
    }
    (!found.names.is_empty()).then_some(found)
}

fn is_conditional(statement: &PlannedStatement) -> bool {
    let condition = match &statement.modification {
        Modification::Insert(insert) => &insert.condition,
        Modification::Update(update) => &update.condition,
        Modification::Delete(delete) => &delete.condition,
    };
    *condition != IfClause::Always
}

/// The columns that an UPDATE sets; `None` for a DELETE of whole rows. An INSERT creates its row
/// before any condition on it.
fn columns_of_change(statement: &PlannedStatement) -> Option<Vec<&str>> {
    match &statement.modification {
        Modification::Insert(_) => Some(Vec::new()),
        Modification::Update(update) => {
            Some(update.assignments.iter().map(|assignment| &*assignment.column).collect())
        }
        Modification::Delete(delete) if delete.columns.is_empty() => None,
        Modification::Delete(delete) => Some(delete.columns.iter().map(|name| &**name).collect()),
    }
}
