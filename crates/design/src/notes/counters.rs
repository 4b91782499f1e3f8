//! Counters: approximate, and increments must not be retried.

use model::plan::topic::TableTopic;
use model::plan::{ColumnRole, Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;

/// The assumption behind every counter table.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables().filter(|(_, table)| table.is_counter()) {
        let counters = table.columns.iter().filter(|column| column.role == ColumnRole::Counter);
        let columns = counters.map(|column| column.name.clone()).collect();
        let topic = TableTopic::Counters { table: table.name.clone(), columns };
        notes.push(note(NoteKind::Assumption, NoteSubject::Table(at), topic));
    }
    notes
}
