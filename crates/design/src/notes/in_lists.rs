//! Lists of values: fine up to 20, with a warning up to 100, never above 500.

use model::plan::topic::{ListVerdict, ReadTopic};
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::{Column, Condition, Predicate, Read};

use super::note;
use super::review::Review;

/// Values up to which a list is fine.
pub(super) const SAFE: usize = 20;
/// Values from which a list must be sent in parts.
const MANY: usize = 100;
/// Values from which a list is never sent.
const MOST: usize = 500;

/// The number of values of each IN list with literals.
pub(super) fn list_lengths(conditions: &[Condition]) -> impl Iterator<Item = usize> {
    conditions.iter().filter_map(|condition| match &condition.predicate {
        Predicate::In { values, .. } => Some(values.len()),
        _ => None,
    })
}

/// Whether a condition takes an array of values, of any length.
pub(super) fn has_open_list(conditions: &[Condition]) -> bool {
    conditions.iter().any(|condition| matches!(condition.predicate, Predicate::AnyOf { .. }))
}

/// A note for each list that is long, or of unknown length.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, _) in review.reads() {
        for condition in &read.conditions {
            let made = match &condition.predicate {
                Predicate::In { column, values } => long_list(review, read, *column, values.len()),
                Predicate::AnyOf { column, .. } => Some(unknown_list(review, read, *column)),
                _ => None,
            };
            notes.extend(made.map(|(kind, topic)| {
                let span = Some(condition.span);
                Note { span, ..note(kind, NoteSubject::Read(at), topic) }
            }));
        }
    }
    notes
}

fn long_list(
    review: Review<'_>,
    read: &Read,
    column: Column,
    values: usize,
) -> Option<(NoteKind, ReadTopic)> {
    let (kind, verdict) = if values <= SAFE {
        return None;
    } else if values <= MANY {
        (NoteKind::Warning, ListVerdict::Waits { safe: SAFE })
    } else if values <= MOST {
        (NoteKind::Warning, ListVerdict::TooMany { safe: SAFE })
    } else {
        (NoteKind::Refusal, ListVerdict::Never { most: MOST })
    };
    let (read, attribute) = (read.name.clone(), name(review, read, column));
    Some((kind, ReadTopic::LongList { read, attribute, values, verdict }))
}

fn unknown_list(review: Review<'_>, read: &Read, column: Column) -> (NoteKind, ReadTopic) {
    let (read, attribute) = (read.name.clone(), name(review, read, column));
    (NoteKind::Assumption, ReadTopic::UnknownList { read, attribute, safe: SAFE })
}

fn name(review: Review<'_>, read: &Read, column: Column) -> String {
    let attribute = review.read_attribute(read, column);
    attribute.map_or_else(|| "?".to_owned(), |attribute| attribute.name.clone())
}
