//! Rows of megabytes: read whole, and refused above what a mutation may have.

use model::plan::{About, Note, NoteKind};

use super::note;
use super::review::Review;
use crate::figures::bytes;

/// Bytes of a row from which it is called large.
const LARGE: f64 = 1e6;
/// Bytes that Cassandra lets a mutation have unless told otherwise: half a segment of the commit log.
const MUTATION: f64 = 16.0 * 1_048_576.0;

/// A warning for each table with such rows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let size = table.volume.row_bytes;
        if size <= LARGE {
            continue;
        }
        let refused = if size > MUTATION {
            ", and the server refuses a write of more than 16 MiB (half a segment of its commit log)"
        } else {
            ""
        };
        let message = format!(
            "a row of `{}` has {}: each read of it fills as much of the heap{refused}",
            table.name,
            bytes(size)
        );
        let help = "keep the large value in an object store and its address here, or store it in parts: a row for each piece";
        notes.push(note(NoteKind::Warning, About::Table(at), message, help));
    }
    notes
}
