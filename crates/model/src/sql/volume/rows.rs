//! The rows of entities today, propagated along references with a given fan-out.

use std::collections::VecDeque;

use super::super::draft::ModelDraft;
use super::{CONTRADICTION_FACTOR, assume, derive_origin};
use crate::assumption::AssumptionTopic;
use crate::concept::{DAY, Entity, Figure, Origin, Reference};
use crate::directive::quantity::spell;
use crate::id::{EntityId, IdList, ReferenceId};

/// The assumed rows of a table.
const DEFAULT_ROWS: f64 = 1e6;

/// Completes the rows of all entities.
pub(super) fn complete(draft: &mut ModelDraft, entities: &mut [Entity]) {
    let referrers = referrers(entities);
    let mut known: Vec<bool> = entities.iter().map(|it| it.rows.origin == Origin::Given).collect();
    let given = entities.ids().filter(|&at| known[at.index()]).collect();
    propagate_rows(entities, &referrers, &mut known, given);
    // First entities that depend on no other, so that their dependents follow; then cycles.
    for with_cycles in [false, true] {
        for position in entities.ids() {
            let is_dependent =
                entities[position].references.iter().any(|it| can_propagate(it, position));
            if !known[position.index()] && (with_cycles || !is_dependent) {
                assume_rows(draft, entities, position);
                known[position.index()] = true;
                propagate_rows(entities, &referrers, &mut known, [position].into());
            }
        }
    }
    warn_contradictions(draft, entities);
}

/// Whether rows follow along the reference that an entity holds.
fn can_propagate(reference: &Reference, holder: EntityId) -> bool {
    reference.fan_out.origin == Origin::Given && reference.target != holder
}

/// Which entities refer to each, with the reference.
fn referrers(entities: &[Entity]) -> Vec<Vec<(EntityId, ReferenceId)>> {
    let mut referrers = vec![Vec::new(); entities.len()];
    for (position, entity) in entities.enumerate_ids() {
        for (number, reference) in entity.references.enumerate_ids() {
            if can_propagate(reference, position) {
                referrers[reference.target.index()].push((position, number));
            }
        }
    }
    referrers
}

/// Propagates known rows along the references, breadth first.
fn propagate_rows(
    entities: &mut [Entity],
    referrers: &[Vec<(EntityId, ReferenceId)>],
    known: &mut [bool],
    mut waiting: VecDeque<EntityId>,
) {
    while let Some(target) = waiting.pop_front() {
        let parents = entities[target].rows;
        for &(position, number) in &referrers[target.index()] {
            let entity = &mut entities[position];
            let fan_out = entity.references[number].fan_out;
            let course = entity.references[number].course;
            let per_parent = match (fan_out.per, entity.retain) {
                (None, _) => fan_out.mean,
                (Some(per), Some(retain)) => {
                    fan_out.mean * course.curve.elapsed_within(retain / DAY, 0.0) * DAY / per
                }
                (Some(_), None) => match course.today {
                    Some(today) => today,
                    None => continue,
                },
            };
            if known[position.index()] {
                continue;
            }
            let value = (parents.value * per_parent).max(1.0);
            entity.rows = Figure { value, origin: derive_origin(parents.origin) };
            known[position.index()] = true;
            waiting.push_back(position);
        }
    }
}

/// Assumes the rows of an entity: at most those of its supertype.
fn assume_rows(draft: &mut ModelDraft, entities: &mut [Entity], position: EntityId) {
    let entity = &entities[position];
    let above = entity.supertype.map(|it| entities[it].rows.value).filter(|rows| *rows > 0.0);
    let rows = above.map_or(DEFAULT_ROWS, |above| above.min(DEFAULT_ROWS));
    let topic = AssumptionTopic::Rows { entity: entity.name.clone(), rows };
    assume(draft, entity.span, topic);
    entities[position].rows = Figure::from_assumption(rows);
}

/// Warns where `@rows` and `@each` contradict each other.
fn warn_contradictions(draft: &mut ModelDraft, entities: &[Entity]) {
    for entity in entities.iter().filter(|it| it.rows.origin != Origin::Assumed) {
        for reference in &entity.references {
            let (fan_out, target) = (reference.fan_out, &entities[reference.target]);
            let stated = fan_out.origin == Origin::Given && target.rows.origin != Origin::Assumed;
            if !stated || fan_out.per.is_some() {
                continue;
            }
            let (rows, product) = (entity.rows.value, target.rows.value * fan_out.mean);
            let fewer = !reference.nullable && product * CONTRADICTION_FACTOR < rows;
            if fewer || product > rows * CONTRADICTION_FACTOR {
                let message = format!(
                    "{} has {} rows, but {} for each of {} {} make {}",
                    entity.name,
                    spell(rows),
                    spell(fan_out.mean),
                    spell(target.rows.value),
                    target.name,
                    spell(product)
                );
                let help =
                    format!("change @rows, or write @each {}", spell(rows / target.rows.value));
                draft.warn("MF260", reference.span, message, help);
            }
        }
    }
}
