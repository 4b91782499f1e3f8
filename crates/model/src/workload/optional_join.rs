//! Outer joins that find a row for every row are inner joins.

use super::{Column, Condition, Predicate, Source};
use crate::concept::{Concept, Reference};
use crate::id::{IdList, SourceId};

/// Marks the joins that are not optional although they are written as LEFT JOIN: the reference is
/// never null in the result, a condition requires a row, or an inner join continues from it.
pub fn settle_joins(concept: &Concept, sources: &mut [Source], conditions: &[Condition]) {
    // Each turn settles at least one source.
    for _ in 0..sources.len() {
        let settled = sources.ids().find(|at| {
            sources[*at].is_optional() && is_always_found(concept, sources, conditions, *at)
        });
        let Some(join) = settled.and_then(|at| sources[at].join.as_mut()) else { return };
        join.optional = false;
    }
}

/// The reference along which a source is joined to the one that holds it.
pub(crate) fn join_reference<'a>(
    concept: &'a Concept,
    sources: &[Source],
    at: SourceId,
) -> Option<(SourceId, &'a Reference)> {
    let source = sources.member(at)?;
    let join = source.join?;
    let holder = if join.to_one { join.with } else { at };
    let entity = concept.entities.member(sources.member(holder)?.entity)?;
    Some((holder, entity.references.member(join.reference)?))
}

fn is_always_found(
    concept: &Concept,
    sources: &[Source],
    conditions: &[Condition],
    at: SourceId,
) -> bool {
    let is_required = |column: Column| {
        let rejects_null = |it: &&Condition| !matches!(it.predicate, Predicate::Null { .. });
        let mut tested = conditions.iter().filter(rejects_null);
        tested.any(|it| it.predicate.columns().contains(&column))
    };
    let has_condition = conditions.iter().any(|it| {
        !matches!(it.predicate, Predicate::Null { .. })
            && it.predicate.columns().iter().any(|column| column.source == at)
    });
    let is_continued = sources
        .iter()
        .any(|other| other.join.is_some_and(|join| join.with == at && !join.optional));
    let is_never_null = join_reference(concept, sources, at).is_some_and(|(holder, reference)| {
        let entity = sources.member(holder).and_then(|it| concept.entities.member(it.entity));
        let holder_is_there = sources.member(holder).is_some_and(|it| !it.is_optional());
        holder_is_there
            && reference.attributes.iter().all(|&attribute| {
                let found = entity.and_then(|entity| entity.attributes.member(attribute));
                found.is_some_and(|it| !it.nullable)
                    || is_required(Column { source: holder, attribute })
            })
    });
    has_condition || is_continued || is_never_null
}
