//! Entities that are written and never read: no table stores them.

use std::collections::{BTreeMap, BTreeSet};

use model::id::{EntityId, IdList};
use model::plan::topic::WorkloadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::{Review, statements};

/// A warning for each entity that is written and stored nowhere.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut written: BTreeMap<EntityId, Vec<String>> = BTreeMap::new();
    for (_, write, plan) in review.writes() {
        if statements(plan).next().is_none() {
            written.entry(write.entity).or_default().push(write.name.clone());
        }
    }
    let held = review.tables().flat_map(|(_, table)| &table.holds.sources);
    let held: BTreeSet<EntityId> = held.map(|source| source.entity).collect();
    let mut notes = Vec::new();
    for (at, writes) in written.into_iter().filter(|(at, _)| !held.contains(at)) {
        let Some(entity) = review.context.concept.entities.member(at) else { continue };
        let topic = WorkloadTopic::StoredNowhere { entity: entity.name.clone(), writes };
        let span = Some(entity.span);
        notes.push(Note { span, ..note(NoteKind::Warning, NoteSubject::Entity(at), topic) });
    }
    notes
}
