//! What the plan of a write presumes, and what it changes.

use model::id::{AttributeId, IdList, WriteId};
use model::plan::{Derivation, PlannedTable};
use model::workload::{AssignmentValue, Comparison, Predicate, Write, WriteKind};

use crate::dataset::Datum;
use crate::generator::{Facts, find_violations};
use crate::subject::ProofSubject;

/// Whether a write presumes that the row exists, as its plan states: an UPDATE by the key alone, or
/// by a list of keys, that returns nothing.
pub(super) fn is_row_presumed(subject: ProofSubject<'_>, write: &Write) -> bool {
    let WriteKind::Update(_, conditions) = &write.kind else { return false };
    let fixed: Vec<AttributeId> = conditions
        .iter()
        .filter_map(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. }
            | Predicate::In { column, .. }
            | Predicate::AnyOf { column, .. } => Some(column.attribute),
            _ => None,
        })
        .collect();
    let keys = subject.concept.entities.member(write.entity).map(|entity| &entity.keys);
    let by_key = keys
        .into_iter()
        .flatten()
        .any(|key| key.len() == conditions.len() && key.iter().all(|part| fixed.contains(part)));
    by_key && !write.strict && write.returning.is_none()
}

/// Whether a precondition of a write excludes one of the constraints that these values violate.
pub(super) fn is_excluded(
    subject: ProofSubject<'_>,
    at: WriteId,
    values: &[Datum],
    facts: &Facts,
) -> bool {
    let ProofSubject { concept, workload, design, .. } = subject;
    let Some(write) = workload.writes.member(at) else { return false };
    let violated = find_violations(concept, write, facts, values);
    let preconditions = design.list_preconditions(at);
    violated.into_iter().any(|it| preconditions.iter().any(|known| known.has_constraint(it)))
}

/// Whether a write sets an attribute that is part of a key of a table.
pub(super) fn has_key_change(subject: ProofSubject<'_>, at: WriteId) -> bool {
    let Some(write) = subject.workload.writes.member(at) else { return false };
    let WriteKind::Update(assignments, _) = &write.kind else { return false };
    let set = |attribute: AttributeId| {
        assignments.iter().any(|assignment| {
            assignment.attribute == attribute
                && !matches!(
                    assignment.value,
                    AssignmentValue::Add(_) | AssignmentValue::Subtract(_)
                )
        })
    };
    let is_key = |table: &PlannedTable| {
        table.columns.iter().filter(|column| column.is_key()).any(|column| {
            match &column.derivation {
                Derivation::Attribute(of)
                | Derivation::Coalesced(of, _)
                | Derivation::Element(of)
                | Derivation::Bucket(of, _)
                | Derivation::Prefix(of, _) => {
                    let source = table.holds.sources.member(of.source);
                    source.is_some_and(|source| source.entity == write.entity) && set(of.attribute)
                }
                _ => false,
            }
        })
    };
    subject.design.tables.iter().any(is_key)
}
