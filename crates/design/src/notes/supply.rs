//! Parameters without a supplier.

use model::plan::topic::WorkloadTopic;
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::{Parameter, Supply};

use super::note;
use super::review::Review;

/// A warning for each statement with such parameters.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let reads = review.reads().map(|(at, read, _)| {
        supply_note(NoteSubject::Read(at), &read.name, &read.parameters)
            .map(|topic| (topic, read.span))
    });
    let writes = review.writes().map(|(at, write, _)| {
        supply_note(NoteSubject::Write(at), &write.name, &write.parameters)
            .map(|topic| (topic, write.span))
    });
    let notes = reads.chain(writes).flatten();
    notes.map(|(note, span)| Note { span: Some(span), ..note }).collect()
}

fn supply_note(about: NoteSubject, name: &str, parameters: &[Parameter]) -> Option<Note> {
    let missing: Vec<String> = parameters
        .iter()
        .filter(|parameter| parameter.supply == Supply::Nobody)
        .map(|parameter| parameter.name.clone())
        .collect();
    if missing.is_empty() {
        return None;
    }
    let topic =
        WorkloadTopic::MissingParameters { statement: name.to_owned(), parameters: missing };
    Some(note(NoteKind::Warning, about, topic))
}
