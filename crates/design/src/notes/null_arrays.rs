//! Arrays that may be null: Cassandra stores an empty collection as null.

use cql::types::Type;
use model::id::IdList;
use model::plan::topic::NullTopic;
use model::plan::{Note, NoteKind, NoteSubject};
use model::workload::OutputValue;

use super::note;
use super::review::Review;

/// One assumption for all arrays that a read returns and that may be null.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut attributes: Vec<String> = Vec::new();
    for read in &review.context.workload.reads {
        for output in &read.outputs {
            let OutputValue::Column(column) = output.value else { continue };
            let Some(attribute) = review.read_attribute(read, column) else { continue };
            let is_collection =
                matches!(attribute.ty, Type::List(..) | Type::Set(..) | Type::Map(..));
            if !is_collection || !attribute.nullable {
                continue;
            }
            let source = read.sources.member(column.source);
            let entity = source.and_then(|it| review.context.concept.entities.member(it.entity));
            let name = entity.map(|entity| format!("{}.{}", entity.name, attribute.name));
            attributes.extend(name.filter(|name| !attributes.contains(name)));
        }
    }
    if attributes.is_empty() {
        return Vec::new();
    }
    vec![note(NoteKind::Assumption, NoteSubject::Design, NullTopic::EmptyArrays { attributes })]
}
