//! What is written and never read: no table stores it.

use std::collections::{BTreeMap, BTreeSet};

use model::plan::{About, Note, NoteKind};

use super::note;
use super::review::{Review, listed, statements};

/// A warning for each entity that is written and stored nowhere.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut written: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (_, write, plan) in review.writes() {
        if statements(plan).next().is_none() {
            written.entry(write.entity).or_default().push(&write.name);
        }
    }
    let held = review.tables().flat_map(|(_, table)| &table.holds.sources);
    let held: BTreeSet<usize> = held.map(|source| source.entity).collect();
    let mut notes = Vec::new();
    for (at, writes) in written.into_iter().filter(|(at, _)| !held.contains(at)) {
        let Some(entity) = review.context.concept.entities.get(at) else { continue };
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
