//! Texts that are the whole partition key of a table: Cassandra refuses an empty one.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, AttributeRef, Entity, ValueLimit};
use model::expression::Scalar;
use model::id::{AttributeId, IdList};
use model::plan::topic::KeyTopic;
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedTable, is_met};
use model::workload::Column;

use super::note;
use super::review::Review;

/// One assumption for all texts that must not be empty.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut attributes: Vec<(AttributeRef, String)> = Vec::new();
    // A table that remembers oldest buckets has such a key, too.
    for table in &review.design.tables {
        let Some(of) = lone_partition_column(table) else { continue };
        let Some(source) = table.holds.sources.member(of.source) else { continue };
        let Some(entity) = review.context.concept.entities.member(source.entity) else { continue };
        let Some(attribute) = entity.attributes.member(of.attribute) else { continue };
        let at = AttributeRef { entity: source.entity, attribute: of.attribute };
        let is_known = attributes.iter().any(|(known, _)| *known == at);
        if !is_known && can_be_empty(entity, of.attribute, attribute) {
            attributes.push((at, format!("{}.{}", entity.name, attribute.name)));
        }
    }
    if attributes.is_empty() {
        return Vec::new();
    }
    vec![note(NoteKind::Assumption, NoteSubject::Design, KeyTopic::NeverEmpty { attributes })]
}

/// What a partition key of one column is made from.
fn lone_partition_column(table: &PlannedTable) -> Option<Column> {
    let mut keys = table.partition_key();
    let (Some(alone), None) = (keys.next(), keys.next()) else { return None };
    match &alone.derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Prefix(of, _) => Some(*of),
        _ => None,
    }
}

/// Whether an empty value, or element, meets the type and the constraints of an attribute.
fn can_be_empty(entity: &Entity, at: AttributeId, attribute: &Attribute) -> bool {
    let element = match &attribute.ty {
        Type::List(element, _) | Type::Set(element, _) => element,
        ty => ty,
    };
    let Type::Native(native @ (NativeType::Text | NativeType::Ascii | NativeType::Blob)) = element
    else {
        return false;
    };
    let limited = match &attribute.limit {
        Some(ValueLimit::Labels(labels)) => !labels.iter().any(String::is_empty),
        Some(ValueLimit::Exactly(_)) => true,
        Some(ValueLimit::Longest(_) | ValueLimit::Digits { .. }) | None => false,
    };
    let expressions = entity.checks.iter().filter_map(|check| check.expression.as_ref());
    let mut own = expressions.filter(|it| it.columns().iter().all(|column| **column == at));
    let empty = || match native {
        NativeType::Blob => Scalar::Other(NativeType::Blob.into(), Vec::new()),
        _ => Scalar::Text(String::new()),
    };
    !limited && own.all(|it| is_met(it, &mut |_| empty()))
}
