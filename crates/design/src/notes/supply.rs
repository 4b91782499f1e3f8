//! Parameters that nobody supplies.

use model::plan::{About, Note, NoteKind};
use model::workload::{Parameter, Supply};

use super::note;
use super::review::{Review, listed};

/// A warning for each statement with such parameters.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let reads = review.reads().map(|(at, read, _)| {
        said(About::Read(at), &read.name, &read.parameters).map(|said| (said, read.span))
    });
    let writes = review.writes().map(|(at, write, _)| {
        said(About::Write(at), &write.name, &write.parameters).map(|said| (said, write.span))
    });
    let notes = reads.chain(writes).flatten();
    notes.map(|(note, span)| Note { span: Some(span), ..note }).collect()
}

fn said(about: About, name: &str, parameters: &[Parameter]) -> Option<Note> {
    let missing: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.supply == Supply::Nobody)
        .map(|parameter| parameter.name.as_str())
        .collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "`{name}` needs {}, which no step before it returns and no user types",
        listed(&missing)
    );
    let help = "name the step that returns it with @after, and select it there";
    Some(note(NoteKind::Warning, about, message, help))
}
