//! Time as the whole partition key: all current writes go to one partition.

use model::plan::topic::HeatTopic;
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedTable};

use super::note;
use super::review::Review;

/// Whether nothing but time is in the partition key of a table.
pub(super) fn is_time_alone(review: Review<'_>, table: &PlannedTable) -> bool {
    let mut columns = table.partition_key().peekable();
    columns.peek().is_some()
        && columns.all(|column| match column.derivation {
            Derivation::Bucket(of, _) => {
                review.attribute(table, of).is_some_and(|attribute| is_time(&attribute.ty))
            }
            // A time-based id is unique and spreads rows.
            Derivation::Attribute(_) => is_time(&column.ty) && !is_id(&column.ty),
            _ => false,
        })
}

/// Whether values of a type follow the clock.
pub(super) fn is_time(ty: &cql::types::Type) -> bool {
    use cql::types::NativeType::{Date, Timestamp, Timeuuid};
    matches!(ty, cql::types::Type::Native(Timestamp | Date | Timeuuid))
}

/// Whether values of a type are time-based ids.
fn is_id(ty: &cql::types::Type) -> bool {
    matches!(ty, cql::types::Type::Native(cql::types::NativeType::Timeuuid))
}

/// A warning for each such table.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let concept = review.context.concept;
    let mut notes = Vec::new();
    for (at, table) in review.tables().filter(|(_, table)| is_time_alone(review, table)) {
        let topic = HeatTopic::TimeAlone {
            table: table.name.clone(),
            writes: table.volume.hottest_writes,
            limit: review.context.options.limits.hot_writes,
            copies: concept.copies().min(concept.nodes),
            nodes: concept.nodes,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}
