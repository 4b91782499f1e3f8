//! Deletes that delete or change many rows of other tables.

use model::id::{IdList, WriteId};
use model::plan::topic::WriteTopic;
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::DerivedPart;

use super::note;
use super::review::Review;

/// Rows at p99 up to which no note is made.
const FEW: f64 = 1_000.0;
/// References of references that are followed.
const DEPTH: usize = 4;

/// Warnings for writes that write many other rows along with their own.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let writes = review.writes().filter(|(_, write, _)| write.is_stated());
    let large = writes.filter_map(|(at, write, _)| {
        let rows = count_rows(review, at, DEPTH);
        let topic = WriteTopic::LargeCascade { write: write.name.clone(), rows };
        (rows > FEW).then(|| note(NoteKind::Warning, NoteSubject::Write(at), topic))
    });
    large.collect()
}

/// The rows at p99 that a write deletes or changes in other tables, for one row.
fn count_rows(review: Review<'_>, at: WriteId, depth: usize) -> f64 {
    let Some(depth) = depth.checked_sub(1) else { return 0.0 };
    let writes = &review.context.workload.writes;
    let implied = writes.member(at).map_or(&[][..], |write| &write.implies);
    let rows = implied.iter().map(|&implied| {
        let part = writes.member(implied).and_then(|write| write.derived);
        let Some(DerivedPart::Referring { entity, reference, .. }) = part else { return 0.0 };
        let entity = review.context.concept.entities.member(entity);
        let reference = entity.and_then(|entity| entity.references.member(reference));
        let each = reference.map_or(0.0, |reference| reference.fan_out.p99);
        each * (1.0 + count_rows(review, implied, depth))
    });
    rows.sum()
}
