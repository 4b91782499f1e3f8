//! Counters: approximate, and not to be repeated.

use model::plan::{About, Note, NoteKind, Role};

use super::note;
use super::review::{Review, listed};

/// What every table of counters stands on.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables().filter(|(_, table)| table.is_counter()) {
        let counters: Vec<&str> = table
            .columns
            .iter()
            .filter(|column| column.role == Role::Counter)
            .map(|column| column.name.as_str())
            .collect();
        let message = format!(
            "{} of `{}` may be off: a counter whose update timed out may have counted once, or not, and must not be sent again",
            listed(&counters),
            table.name
        );
        let help =
            "mark with @exact what must be exact: rows are counted then, or written conditionally";
        notes.push(note(NoteKind::Assumption, About::Table(at), message, help));
    }
    notes
}
