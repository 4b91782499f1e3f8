//! Walks that end at the bucket of now: times must not lie in the future.

use cql::types::{NativeType, Type};
use model::plan::{About, Loop, Note, NoteKind};

use super::note;
use super::review::Review;

/// An assumption for each time that some walk takes to lie in the past.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for plan in &review.design.reads {
        let Some(step) = plan.steps.get(plan.main) else { continue };
        let open = step.loops.iter().any(|turn| {
            matches!(turn, Loop::Buckets(walk) if walk.to.is_none() && walk.bucket.days().is_some())
        });
        let table = review.design.tables.get(step.table).filter(|_| open);
        let Some((table, (_, of, bucket))) = table.and_then(|it| Some((it, it.bucket()?))) else {
            continue;
        };
        let Some(attribute) = review.attribute(table, of) else { continue };
        // An id that begins with a time is made when the row is.
        if attribute.ty == Type::Native(NativeType::Timeuuid) {
            continue;
        }
        let message = format!(
            "`{}` of `{}` is taken not to lie in the future: a walk over its {}s ends at that of now",
            attribute.name,
            table.name,
            bucket.name()
        );
        if notes.iter().all(|known| known.message != message) {
            let help =
                format!("give the query an upper bound (`{} < ?`) where it may", attribute.name);
            notes.push(note(NoteKind::Assumption, About::Table(step.table), message, help));
        }
    }
    notes
}
