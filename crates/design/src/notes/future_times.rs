//! Walks that assume the current bucket to be the newest: times must not be in the future.

use cql::types::{NativeType, Type};
use model::id::IdList;
use model::plan::topic::BucketTopic;
use model::plan::{Loop, Note, NoteKind, NoteSubject, Topic};

use super::note;
use super::review::Review;

/// An assumption for each time that some walk assumes to be in the past.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for plan in &review.design.reads {
        let Some(step) = plan.steps.member(plan.main) else { continue };
        let open = step.loops.iter().any(|turn| {
            matches!(turn, Loop::Buckets(walk) if walk.to.is_none() && walk.bucket.days().is_some())
        });
        let table = review.design.tables.member(step.table).filter(|_| open);
        let Some((table, (_, of, bucket))) = table.and_then(|it| Some((it, it.bucket()?))) else {
            continue;
        };
        let Some(attribute) = review.attribute(table, of) else { continue };
        // A time-based id is created with the row.
        if attribute.ty == Type::Native(NativeType::Timeuuid) {
            continue;
        }
        let (table, attribute) = (table.name.clone(), attribute.name.clone());
        let topic = Topic::from(BucketTopic::PastOnly { table, attribute, bucket });
        if notes.iter().all(|known| known.topic != topic) {
            notes.push(note(NoteKind::Assumption, NoteSubject::Table(step.table), topic));
        }
    }
    notes
}
