//! Rows that a query is stated to return, beside what the volumes give.

use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;
use crate::read_plan::price;

/// How many times more or fewer rows are still taken for the same.
const TOLERANCE: f64 = 3.0;

/// A warning for each read of which `@returns` and the volumes contradict one another.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let Some(stated) = read.stated.returns else { continue };
        let estimated = price::rows_returned(review.context, read, plan);
        let ratio = estimated.max(1.0) / stated.mean.max(1.0);
        if !(1.0 / TOLERANCE..=TOLERANCE).contains(&ratio) {
            let (read, stated) = (read.name.clone(), stated.mean);
            let topic = ReadTopic::ReturnedRows { read, stated, estimated };
            notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
        }
    }
    notes
}
