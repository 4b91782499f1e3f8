//! Keys under which rows would overwrite one another.

use model::plan::topic::{KeyColumns, KeyTopic};
use model::plan::{Note, NoteKind, NoteSubject};

use super::bounds::{is_forced, replacement};
use super::note;
use super::review::Review;
use crate::mapping::find_collision;

/// A refusal for each table whose key is not unique, with two rows that would collide.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut unforced = None;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let Some(collision) = find_collision(review.context.concept, table) else { continue };
        let replacement = is_forced(table)
            .then(|| replacement(table, unforced.get_or_insert_with(review.unforced)));
        let topic = KeyTopic::NotUnique {
            key: KeyColumns::from(table),
            table: table.name.clone(),
            same: collision.same,
            different: collision.different,
            replacement,
        };
        notes.push(note(NoteKind::Refusal, NoteSubject::Table(at), topic));
    }
    notes
}
