//! What is written and never read: no table stores it.

use model::plan::{About, Note, NoteKind};

use super::judged::{Judged, listed, statements};
use super::note;

/// A warning for each entity that is written and stored nowhere.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let concept = judged.context.concept;
    let mut notes = Vec::new();
    for (at, entity) in concept.entities.iter().enumerate() {
        let writes: Vec<&str> = judged
            .writes()
            .filter(|(_, write, _)| write.entity == at)
            .map(|(_, write, _)| write.name.as_str())
            .collect();
        let stored = judged
            .writes()
            .any(|(_, write, plan)| write.entity == at && statements(plan).next().is_some());
        let held = judged
            .tables()
            .any(|(_, table)| table.holds.sources.iter().any(|source| source.entity == at));
        if writes.is_empty() || stored || held {
            continue;
        }
        let message = format!(
            "`{}` is written by {} and read by no query: no table stores it",
            entity.name,
            listed(&writes)
        );
        let help = "add the query that reads it, or leave out what writes it";
        let span = Some(entity.span);
        notes.push(Note { span, ..note(NoteKind::Warning, About::Entity(at), message, help) });
    }
    notes
}
