//! Generates new rows, with new keys and with references to existing rows.

use model::concept::{Concept, Entity, Reference, Skew};
use model::id::{AttributeId, EntityId, IdList, ReferenceId};

use super::constraint::{compute_generated, has_valid_checks, is_in_unique};
use super::facts::{Facts, insertion_order, reference_overlap};
use super::random::Random;
use crate::dataset::{Datum, Row};

/// Attempts to generate a row.
const ATTEMPTS: usize = 24;

/// Attempts after which key parts are drawn from new values.
const FRESH_AFTER: usize = 6;

/// Consecutive failures after which no more rows are tried: the keys are exhausted.
const FAILURES_MAX: usize = 50;

/// The share of rows that are removed where keys are exhausted: one of so many.
const FREE_SHARE: usize = 4;

/// Generates all rows.
pub(super) fn fill(concept: &Concept, facts: &mut Facts, random: &mut Random) {
    for at in insertion_order(concept) {
        add_constant_targets(concept, facts, at, random);
        let count = facts.counts.get(at.index()).copied().unwrap_or(0);
        let mut failed = 0;
        for _ in 0..count {
            match (generate_row(concept, facts, at, &[], random), facts.stores.get_mut(at.index()))
            {
                (Some(row), Some(store)) => {
                    store.add(row);
                    failed = 0;
                }
                _ => failed += 1,
            }
            if failed > FAILURES_MAX {
                free_keys(concept, facts, at);
                break;
            }
        }
    }
}

/// Removes the newest rows of an entity whose keys are exhausted, so that writes can insert some.
/// No row of another entity refers to them yet.
fn free_keys(concept: &Concept, facts: &mut Facts, at: EntityId) {
    let Some(store) = facts.stores.get(at.index()) else { return };
    let freed = (store.len() / FREE_SHARE).max(1).min(store.len().saturating_sub(1));
    let places: Vec<usize> = store.rows().map(|(place, _)| place).collect();
    for place in places.into_iter().rev().take(freed) {
        let is_free = |row: &Row| !facts.has_reference_within(concept, at, row);
        let store = facts.stores.get(at.index());
        if store.and_then(|it| it.row(place)).is_some_and(is_free)
            && let Some(store) = facts.stores.get_mut(at.index())
        {
            store.remove(place);
        }
    }
}

/// Adds the rows that others refer to by default or by a constant of the workload: without them no
/// write could make such a reference.
fn add_constant_targets(concept: &Concept, facts: &mut Facts, at: EntityId, random: &mut Random) {
    for (position, entity) in concept.entities.enumerate_ids() {
        for reference in entity.references.iter().filter(|it| it.target == at) {
            for key in facts.constant_targets((position, entity), reference) {
                let values: Vec<&Datum> = key.iter().map(|(_, value)| value).collect();
                let Some(store) = facts.stores.get(at.index()) else { continue };
                if store.find(&reference.target_attributes, &values).next().is_some() {
                    continue;
                }
                let row = generate_row(concept, facts, at, &key, random);
                if let Some((row, store)) = row.zip(facts.stores.get_mut(at.index())) {
                    store.add(row);
                }
            }
        }
    }
}

/// A new row; `fixed` are attributes whose values are given.
pub(super) fn generate_row(
    concept: &Concept,
    facts: &Facts,
    at: EntityId,
    fixed: &[(AttributeId, Datum)],
    random: &mut Random,
) -> Option<Row> {
    let entity = concept.entities.member(at)?;
    (0..ATTEMPTS).find_map(|attempt| {
        let maker = RowGenerator { facts, at, entity, fresh: attempt >= FRESH_AFTER };
        let row = maker.generate(fixed, random)?;
        let taken = facts.is_taken(at, entity, &row, None) || facts.is_gone(at, entity, &row);
        (!taken).then_some(row)
    })
}

/// The generator of one row.
struct RowGenerator<'a> {
    facts: &'a Facts,
    at: EntityId,
    entity: &'a Entity,
    /// Whether key parts that are not references are drawn from new values.
    fresh: bool,
}

impl RowGenerator<'_> {
    fn generate(&self, given: &[(AttributeId, Datum)], random: &mut Random) -> Option<Row> {
        let mut row: Row = vec![None; self.entity.attributes.len()];
        let mut fixed = vec![false; row.len()];
        for (at, value) in given {
            row.get_mut(at.index())?.clone_from(value);
            *fixed.get_mut(at.index())? = true;
        }
        for (position, reference) in self.entity.references.enumerate_ids() {
            self.set_reference(position, reference, &mut row, &mut fixed, random)?;
        }
        for (at, attribute) in self.entity.attributes.enumerate_ids() {
            if fixed[at.index()] {
                continue;
            }
            let domain = self.facts.domains.get(self.at.index())?.get(at.index())?;
            let in_key = is_in_unique(self.entity, at);
            row[at.index()] = if attribute.counter {
                super::usage::literal_bytes(&attribute.ty, "0")
            } else if in_key && self.fresh {
                Some(domain.draw_fresh(random))
            } else {
                domain.draw(random)
            };
        }
        self.refer_to_itself(&mut row);
        let valid = compute_generated(self.entity, &mut row) && has_valid_checks(self.entity, &row);
        valid.then_some(row)
    }

    /// Makes the first row refer to itself, as there is no other.
    fn refer_to_itself(&self, row: &mut Row) {
        for reference in self.entity.references.iter().filter(|it| self.is_first_of_itself(it)) {
            for (own, target) in reference.attributes.iter().zip(&reference.target_attributes) {
                row[own.index()] = row.get(target.index()).cloned().flatten();
            }
        }
    }

    fn is_first_of_itself(&self, reference: &Reference) -> bool {
        let first = self.facts.stores.get(self.at.index()).is_some_and(|store| store.len() == 0);
        first && reference.target == self.at && !self.can_be_null(reference)
    }

    /// Whether a reference may be null.
    fn can_be_null(&self, reference: &Reference) -> bool {
        let mut attributes = reference.attributes.iter();
        let is_nullable = |at: &AttributeId| {
            self.entity.attributes.member(*at).is_some_and(|it| it.nullable)
                && !self.facts.is_never_null(self.at, *at)
        };
        reference.nullable && attributes.any(is_nullable)
    }

    /// Whether an attribute has no value yet and may be null.
    fn can_set_null(&self, at: AttributeId, fixed: &[bool]) -> bool {
        let is_nullable = self.entity.attributes.member(at).is_some_and(|it| it.nullable);
        let in_key = self.entity.keys.iter().any(|key| key.contains(&at));
        let is_fixed = fixed.get(at.index()).copied().unwrap_or(false);
        is_nullable && !in_key && !is_fixed && !self.facts.is_never_null(self.at, at)
    }

    /// Sets a reference to an existing row, or to null.
    fn set_reference(
        &self,
        position: ReferenceId,
        reference: &Reference,
        row: &mut Row,
        fixed: &mut [bool],
        random: &mut Random,
    ) -> Option<()> {
        if self.is_first_of_itself(reference) {
            return Some(());
        }
        let is_fixed = |at: &AttributeId| fixed.get(at.index()).copied().unwrap_or(false);
        if reference.attributes.iter().all(is_fixed) {
            let null = reference.attributes.iter().any(|at| row[at.index()].is_none());
            return (null || self.facts.find_target(reference, row).is_some()).then_some(());
        }
        // One null is enough: a part of a key may be another part of the reference.
        let optional: Vec<AttributeId> = reference
            .attributes
            .iter()
            .copied()
            .filter(|at| self.can_set_null(*at, fixed))
            .collect();
        let may_be_null = self.can_be_null(reference) && !optional.is_empty();
        let parent = if may_be_null && random.next_bool(0.15) {
            None
        } else {
            self.choose_parent(position, reference, row, fixed, random)
        };
        let Some(parent) = parent else {
            for at in optional {
                fixed[at.index()] = true;
            }
            return may_be_null.then_some(());
        };
        for (own, target) in reference.attributes.iter().zip(&reference.target_attributes) {
            row[own.index()] = parent.get(target.index()).cloned().flatten();
            fixed[own.index()] = true;
        }
        Some(())
    }

    /// A row to refer to: one with the fixed values, and unreferenced where the reference is
    /// unique.
    fn choose_parent(
        &self,
        position: ReferenceId,
        reference: &Reference,
        row: &Row,
        fixed: &[bool],
        random: &mut Random,
    ) -> Option<&Row> {
        let store = self.facts.stores.get(reference.target.index())?;
        let pairs = reference.attributes.iter().zip(&reference.target_attributes);
        let given: Vec<(AttributeId, &Datum)> = pairs
            .filter(|(own, _)| fixed.get(own.index()).copied().unwrap_or(false))
            .filter_map(|(own, target)| Some((*target, row.get(own.index())?)))
            .collect();
        if !given.is_empty() {
            let (attributes, values): (Vec<AttributeId>, Vec<&Datum>) = given.into_iter().unzip();
            let fits: Vec<&Row> = if attributes == reference_overlap(self.entity, position) {
                let found = store.find(&attributes, &values).map(|(_, row)| row);
                found.filter(|row| has_target(reference, row)).take(64).collect()
            } else {
                let same = |row: &Row| {
                    attributes
                        .iter()
                        .zip(&values)
                        .all(|(at, value)| row.get(at.index()) == Some(*value))
                };
                let rows = store.rows().map(|(_, row)| row);
                rows.filter(|row| same(row) && has_target(reference, row)).take(64).collect()
            };
            return random.pick(&fits).copied();
        }
        let unique = reference.is_unique(self.entity);
        for _ in 0..8 {
            let (_, parent) = store.next_row(draw_place(reference, store.place_count(), random))?;
            if has_target(reference, parent) && (!unique || !self.is_used(reference, parent)) {
                return Some(parent);
            }
        }
        let start = random.next_below(store.place_count());
        let mut places = (start..store.place_count()).chain(0..start);
        places.find_map(|place| {
            let fits = |parent: &&Row| {
                has_target(reference, parent) && (!unique || !self.is_used(reference, parent))
            };
            store.row(place).filter(fits)
        })
    }

    /// Whether a row of this entity refers to a row already.
    fn is_used(&self, reference: &Reference, parent: &Row) -> bool {
        let targets = reference.target_attributes.iter();
        let values: Vec<&Datum> = targets.filter_map(|at| parent.get(at.index())).collect();
        let store = self.facts.stores.get(self.at.index());
        store.is_some_and(|store| store.find(&reference.attributes, &values).next().is_some())
    }
}

/// Whether a row can be referred to: a unique column may be null.
fn has_target(reference: &Reference, row: &Row) -> bool {
    reference.target_attributes.iter().all(|at| row.get(at.index()).is_some_and(Option::is_some))
}

/// The slot of a row to refer to: the first are the most popular, and some get no reference.
pub(super) fn draw_place(reference: &Reference, places: usize, random: &mut Random) -> usize {
    let spread = reference.fan_out.max / reference.fan_out.mean.max(1e-9);
    let exponent = match reference.skew {
        Skew::Zipf(exponent) => exponent,
        Skew::Uniform if spread > 20.0 => 1.0,
        Skew::Uniform if spread > 3.0 => 0.8,
        Skew::Uniform => 0.5,
    };
    let place = random.next_rank(places, exponent);
    if place % 7 == 3 { place - 1 } else { place }
}
