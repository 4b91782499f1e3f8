//! Keys under which rows would overwrite one another.

use model::plan::{About, Note, NoteKind};

use super::bounds::{is_forced, proposed, without_forced_keys};
use super::note;
use super::review::{Review, key_text};
use crate::mapping::{Collision, collision};

/// A refusal for each table whose key does not tell its rows apart, with two rows that would be one.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut unforced = None;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let Some(collision) = collision(review.context.concept, table) else { continue };
        let message = format!(
            "the key `{}` of `{}` is not unique: {}",
            key_text(table),
            table.name,
            pair(&collision)
        );
        let help = if is_forced(table) {
            proposed(table, unforced.get_or_insert_with(|| without_forced_keys(review)))
        } else {
            let names: Vec<&str> =
                collision.different.iter().map(|(name, _, _)| name.as_str()).collect();
            format!("add {} to the key", super::review::listed(&names))
        };
        notes.push(note(NoteKind::Refusal, About::Table(at), message, help));
    }
    notes
}

/// Two rows that would be one.
fn pair(collision: &Collision) -> String {
    let same: Vec<String> =
        collision.same.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let row = |second: bool| -> String {
        let values = collision
            .different
            .iter()
            .map(|(name, one, two)| format!("{name} = {}", if second { two } else { one }));
        values.collect::<Vec<_>>().join(", ")
    };
    format!(
        "of all rows with {} the one with {} and the one with {} would overwrite one another",
        same.join(", "),
        row(false),
        row(true)
    )
}
