//! Ordering by nullable attributes: a key column cannot be null.

use model::concept::{Attribute, AttributeRef};
use model::id::IdList;
use model::plan::topic::{NullTopic, NullUse, NullWrite};
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::{AssignmentValue, Read, WriteKind};

use super::note;
use super::review::Review;

/// An assumption for each nullable ordering attribute: that it is not null.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, _) in review.reads() {
        let Some((_, table)) = review.table_of(at) else { continue };
        let served = table.serves.iter().find(|served| served.read == at);
        for ordering in read.order.iter().filter(|ordering| ordering.null_as.is_none()) {
            let Some(attribute) = review.read_attribute(read, ordering.column) else { continue };
            let of = served.and_then(|served| served.column(ordering.column));
            let left_out = of.is_some_and(|of| table.holds.not_null.contains(&of));
            let clusters = of.is_some_and(|of| {
                table.columns.iter().any(|column| {
                    column.is_key() && super::review::source_columns(column).contains(&of)
                })
            });
            if !attribute.nullable || left_out || !clusters {
                continue;
            }
            let Some(source) = read.sources.member(ordering.column.source) else { continue };
            let sorted =
                AttributeRef { entity: source.entity, attribute: ordering.column.attribute };
            let topic = NullTopic::NeverNull {
                read: read.name.clone(),
                name: attribute.name.clone(),
                attribute: sorted,
                by: NullUse::Order,
            };
            let span = Some(attribute.span);
            notes.push(Note { span, ..note(NoteKind::Assumption, NoteSubject::Read(at), topic) });
            notes.extend(null_write_notes(review, (read, attribute), sorted));
        }
    }
    notes
}

/// A warning for each write that sets such an attribute to null nevertheless.
fn null_write_notes(
    review: Review<'_>,
    (read, attribute): (&Read, &Attribute),
    AttributeRef { entity, attribute: at }: AttributeRef,
) -> Vec<Note> {
    let writes = review.writes().filter(|(_, write, _)| write.entity == entity);
    let warnings = writes.filter_map(|(position, write, _)| {
        let does = match &write.kind {
            WriteKind::Insert(values) if values.iter().all(|(given, _)| *given != at) => {
                NullWrite::Leaves
            }
            WriteKind::Update(assignments, _)
                if assignments
                    .iter()
                    .any(|it| it.attribute == at && it.value == AssignmentValue::Null) =>
            {
                NullWrite::Makes
            }
            _ => return None,
        };
        let topic = NullTopic::MadeNull {
            write: write.name.clone(),
            does,
            attribute: attribute.name.clone(),
            read: read.name.clone(),
        };
        let about = NoteSubject::Write(position);
        Some(Note { span: Some(write.span), ..note(NoteKind::Warning, about, topic) })
    });
    warnings.collect()
}
