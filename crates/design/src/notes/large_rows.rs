//! Rows of megabytes: read as a whole, and rejected above the maximum size of a mutation.

use model::plan::topic::SizeTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;

/// Bytes of a row from which it is called large.
const LARGE: f64 = 1e6;
/// Cassandra's default maximum size of a mutation in bytes: half a segment of the commit log.
const MUTATION: f64 = 16.0 * 1_048_576.0;

/// A warning for each table with such rows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let size = table.volume.row_bytes;
        if size <= LARGE {
            continue;
        }
        let topic = SizeTopic::LargeRow {
            table: table.name.clone(),
            bytes: size,
            is_refused: size > MUTATION,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}
