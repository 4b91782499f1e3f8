//! Lists of values: expanded up to 20, warned up to 100, never above 500 (seed 003).

use model::plan::{About, Note, NoteKind};
use model::workload::{Column, Read, Test};

use super::note;
use super::review::Review;

/// Values that are safe.
pub(super) const SAFE: usize = 20;
/// Values from which a list must be sent in parts.
const MANY: usize = 100;
/// Values that are never sent.
const MOST: usize = 500;

/// The number of values of each IN list with literals, and the column it restricts.
pub(super) fn lists(read: &Read) -> impl Iterator<Item = (usize, Column)> {
    read.conditions.iter().filter_map(|condition| match &condition.test {
        Test::In { column, values } => Some((values.len(), *column)),
        _ => None,
    })
}

/// A note for each list that is long, or of unknown length.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, _) in review.reads() {
        for condition in &read.conditions {
            let made = match &condition.test {
                Test::In { column, values } => long(review, read, *column, values.len()),
                Test::AnyOf { column, .. } => Some(unknown(review, read, *column)),
                _ => None,
            };
            notes.extend(made.map(|(kind, message, help)| {
                let span = Some(condition.span);
                Note { span, ..note(kind, About::Read(at), message, help) }
            }));
        }
    }
    notes
}

type Said = (NoteKind, String, &'static str);

fn long(review: Review<'_>, read: &Read, column: Column, values: usize) -> Option<Said> {
    let name = review.read_attribute(read, column).map_or("?", |attribute| &attribute.name);
    let start = format!("`{}` lists {values} values of `{name}`", read.name);
    if values <= SAFE {
        None
    } else if values <= MANY {
        let message = format!("{start}: a coordinator waits for each of them (safe up to {SAFE})");
        let help = "watch the coordinator's latency, or list fewer values";
        Some((NoteKind::Warning, message, help))
    } else if values <= MOST {
        let message = format!("{start}: too many for one request (safe up to {SAFE})");
        let help =
            "send them in parts of 20, or store what they have in common as a column to search by";
        Some((NoteKind::Warning, message, help))
    } else {
        let message = format!("{start}: never send more than {MOST}");
        let help = "store what the values have in common as a column, and search by that";
        Some((NoteKind::Refusal, message, help))
    }
}

fn unknown(review: Review<'_>, read: &Read, column: Column) -> Said {
    let name = review.read_attribute(read, column).map_or("?", |attribute| &attribute.name);
    (
        NoteKind::Assumption,
        format!("`{}` is given at most {SAFE} values of `{name}` at a time", read.name),
        "send longer lists in parts of 20; never more than 500 at once",
    )
}
