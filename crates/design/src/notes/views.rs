//! Materialized views: what their use depends on.

use model::id::IdList;
use model::plan::topic::TableTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;

/// A warning for each view.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let base = table.view_of.and_then(|base| review.design.tables.member(base));
        let Some(base) = base else { continue };
        let topic = TableTopic::View { table: table.name.clone(), base: base.name.clone() };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}
