//! Values for one run of a write.

use model::concept::{Concept, Entity};
use model::workload::{
    Assignment, AssignmentValue, Comparison, Condition, Test, Value, Write, WriteKind,
};

use super::change::{changed, elements, inserted, resolved};
use super::facts::Facts;
use super::random::Random;
use super::rows::{new_row, popular};
use super::test::Tested;
use super::value::{neighbour, numbered};
use super::{Arguments, Kind};
use crate::data::{Datum, Row};

/// Attempts before a write is given up.
const ATTEMPTS: usize = 40;

/// A write for which values are wanted.
pub(super) struct Wanted<'a> {
    pub(super) concept: &'a Concept,
    pub(super) write: &'a Write,
    /// Only elements that are not in the array are appended.
    pub(super) appends_new: bool,
    pub(super) facts: &'a Facts,
}

impl Wanted<'_> {
    /// Values that meet what the write asks for.
    pub(super) fn arguments(&self, random: &mut Random) -> Option<Arguments> {
        let entity = self.concept.entities.get(self.write.entity)?;
        match &self.write.kind {
            WriteKind::Insert(given) => self.insert(entity, given, random),
            WriteKind::Update(assignments, conditions) => {
                let absent = self.write.strict && random.chance(0.15);
                (0..ATTEMPTS)
                    .find_map(|_| self.update(entity, assignments, conditions, absent, random))
            }
            WriteKind::Delete(conditions) => {
                let absent = random.chance(0.1);
                (0..ATTEMPTS).find_map(|_| self.delete(entity, conditions, absent, random))
            }
        }
    }

    fn none(&self) -> Vec<Datum> {
        vec![None; self.write.parameters.len()]
    }

    fn insert(
        &self,
        entity: &Entity,
        given: &[(usize, Value)],
        random: &mut Random,
    ) -> Option<Arguments> {
        let constants: Vec<(usize, Datum)> = given
            .iter()
            .filter(|(_, value)| matches!(value, Value::Literal(_)))
            .filter_map(|(at, value)| {
                Some((*at, resolved(&entity.attributes.get(*at)?.ty, value, &[])))
            })
            .collect();
        let at = self.write.entity;
        (0..ATTEMPTS).find_map(|_| {
            let mut row = new_row(self.concept, self.facts, at, &constants, random)?;
            let clash = self.write.strict && random.chance(0.15);
            if clash && let Some((_, other)) = self.facts.stores.get(at)?.any(random) {
                // All keys of one row, so that whichever is looked at first refuses.
                for part in entity.keys.iter().flatten() {
                    row[*part] = other.get(*part).cloned().flatten();
                }
            }
            let mut values = self.none();
            for (attribute, value) in given {
                if let Value::Parameter(place) = value {
                    *values.get_mut(*place)? = row.get(*attribute)?.clone();
                }
            }
            // One parameter may be given to several attributes.
            let row = inserted(entity, given, &values);
            let taken = self.facts.is_taken(at, entity, &row, None);
            let kind = if taken { Kind::Present } else { Kind::Absent };
            let fits = (!taken || clash) && self.refers(entity, &row);
            fits.then_some(Arguments { values, kind })
        })
    }

    /// Whether all that a row refers to is there.
    fn refers(&self, entity: &Entity, row: &Row) -> bool {
        entity.references.iter().all(|reference| {
            let null = |at: &usize| row.get(*at).is_none_or(Option::is_none);
            reference.attributes.iter().any(null) || self.facts.referred(reference, row).is_some()
        })
    }

    fn update(
        &self,
        entity: &Entity,
        assignments: &[Assignment],
        conditions: &[Condition],
        absent: bool,
        random: &mut Random,
    ) -> Option<Arguments> {
        let store = self.facts.stores.get(self.write.entity)?;
        let (_, row) = store.any(random)?;
        let mut values = self.none();
        self.assign(entity, row, assignments, &mut values, random)?;
        self.meet(entity, row, conditions, &mut values, absent, random)?;
        let tested = Tested { concept: self.concept, conditions, values: &values };
        let places = tested.places(self.facts, self.write.entity);
        // Where only a condition besides the key fails, the row is there all the same.
        for place in &places {
            let row = store.row(*place)?;
            let after = changed(entity, row, assignments, &values);
            let taken = self.facts.is_taken(self.write.entity, entity, &after, Some(*place));
            let moved = after != *row && self.moves_from_under_others(row, &after);
            if taken
                || moved
                || !self.refers(entity, &after)
                || (places.len() > 1 && self.keyed(entity, assignments))
            {
                return None;
            }
        }
        let kind = if absent { Kind::Absent } else { Kind::Present };
        Some(Arguments { values, kind })
    }

    /// Whether a key is set, which several rows cannot share.
    fn keyed(&self, entity: &Entity, assignments: &[Assignment]) -> bool {
        assignments.iter().any(|it| entity.keys.iter().any(|key| key.contains(&it.attribute)))
    }

    /// Whether other rows refer to what a row no longer is.
    fn moves_from_under_others(&self, row: &Row, after: &Row) -> bool {
        let at = self.write.entity;
        let references = self.concept.entities.iter().flat_map(|entity| &entity.references);
        let targets = references.filter(|it| it.target == at).flat_map(|it| &it.target_attributes);
        let mut targets = targets.map(|at| (row.get(*at), after.get(*at)));
        targets.any(|(before, after)| before != after)
            && self.facts.is_referred(self.concept, at, row)
    }

    /// What a row is to become.
    fn assign(
        &self,
        entity: &Entity,
        row: &Row,
        assignments: &[Assignment],
        values: &mut [Datum],
        random: &mut Random,
    ) -> Option<()> {
        let mut referred: Vec<(usize, Datum)> = Vec::new();
        let set = |at: &usize| assignments.iter().any(|it| it.attribute == *at);
        for reference in entity.references.iter().filter(|it| it.attributes.iter().any(set)) {
            let store = self.facts.stores.get(reference.target)?;
            let (_, parent) = store.from(popular(reference, store.places(), random))?;
            let null = reference.nullable && random.chance(0.15);
            for (own, target) in reference.attributes.iter().zip(&reference.target_attributes) {
                referred.push((*own, parent.get(*target).cloned().flatten().filter(|_| !null)));
            }
        }
        for assignment in assignments {
            let at = assignment.attribute;
            let ty = &entity.attributes.get(at)?.ty;
            let domain = self.facts.domains.get(self.write.entity)?.get(at)?;
            let own = row.get(at)?;
            let (place, chosen) = match &assignment.value {
                AssignmentValue::Set(Value::Parameter(place)) => {
                    let parent = referred.iter().find(|(other, _)| *other == at);
                    let in_key = entity.keys.iter().any(|key| key.contains(&at));
                    let chosen = match parent {
                        Some((_, value)) => value.clone(),
                        None if random.chance(0.15) => own.clone(),
                        None if in_key => Some(domain.fresh(random)),
                        None => domain.draw(random),
                    };
                    (place, chosen)
                }
                AssignmentValue::Add(Value::Parameter(place))
                | AssignmentValue::Subtract(Value::Parameter(place)) => {
                    let number = random.between(-3, 9);
                    (place, super::usage::literal(ty, &number.to_string()))
                }
                AssignmentValue::Append(Value::Parameter(place)) => {
                    let held = elements(ty, own);
                    let again = random.pick(&held).filter(|_| random.chance(0.2)).cloned();
                    let again = again.filter(|_| !self.appends_new);
                    let element = again.unwrap_or_else(|| domain.element(random));
                    if self.appends_new && held.contains(&element) {
                        return None;
                    }
                    (place, Some(element))
                }
                AssignmentValue::Remove(Value::Parameter(place)) => {
                    let held = elements(ty, own);
                    let held = random.pick(&held).filter(|_| random.chance(0.8)).cloned();
                    (place, Some(held.unwrap_or_else(|| domain.element(random))))
                }
                _ => continue,
            };
            *values.get_mut(*place)? = chosen;
        }
        Some(())
    }

    /// The values of conditions, so that a row meets them; a condition besides the key is failed at times.
    fn meet(
        &self,
        entity: &Entity,
        row: &Row,
        conditions: &[Condition],
        values: &mut [Datum],
        absent: bool,
        random: &mut Random,
    ) -> Option<()> {
        let key = entity.primary_key();
        for condition in conditions {
            let column = condition.test.columns().first()?;
            let domain = self.facts.domains.get(self.write.entity)?.get(column.attribute)?;
            let ty = &entity.attributes.get(column.attribute)?.ty;
            let own = row.get(column.attribute)?.clone();
            let in_key = key.contains(&column.attribute);
            let shown = if absent && in_key {
                Some(domain.fresh(random))
            } else if !in_key && random.chance(0.25) {
                Some(domain.present(random))
            } else {
                own
            };
            match &condition.test {
                Test::Compare {
                    comparison: Comparison::Equal,
                    value: Value::Parameter(at),
                    ..
                } => {
                    *values.get_mut(*at)? = Some(shown?);
                }
                Test::Compare { comparison, value: Value::Parameter(at), .. } => {
                    let above = matches!(comparison, Comparison::Less);
                    let strict = matches!(comparison, Comparison::Less | Comparison::Greater);
                    let shown = shown?;
                    *values.get_mut(*at)? =
                        Some(if strict { neighbour(ty, &shown, above) } else { shown });
                }
                Test::Holds { value: Value::Parameter(at), .. } => {
                    let held = elements(ty, &shown);
                    *values.get_mut(*at)? = Some(random.pick(&held)?.clone());
                }
                Test::Prefix { value: Value::Parameter(at), .. } => *values.get_mut(*at)? = shown,
                Test::In { values: list, .. } => {
                    for value in list {
                        let Value::Parameter(at) = value else { continue };
                        *values.get_mut(*at)? = shown.clone();
                    }
                }
                Test::AnyOf { parameter, .. } => {
                    let ty = &self.write.parameters.get(*parameter)?.ty;
                    *values.get_mut(*parameter)? = Some(super::value::joined(ty, &[shown]));
                }
                Test::Row { columns, values: list, .. } => {
                    for (column, value) in columns.iter().zip(list) {
                        let Value::Parameter(at) = value else { continue };
                        *values.get_mut(*at)? = row.get(column.attribute)?.clone();
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    fn delete(
        &self,
        entity: &Entity,
        conditions: &[Condition],
        absent: bool,
        random: &mut Random,
    ) -> Option<Arguments> {
        let store = self.facts.stores.get(self.write.entity)?;
        let (_, row) = store.any(random)?;
        let mut values = self.none();
        self.meet(entity, row, conditions, &mut values, absent, random)?;
        for (value, parameter) in values.iter_mut().zip(&self.write.parameters) {
            value.get_or_insert_with(|| numbered(&parameter.ty, 1, 0));
        }
        let tested = Tested { concept: self.concept, conditions, values: &values };
        let places = tested.places(self.facts, self.write.entity);
        let free = places
            .iter()
            .filter_map(|place| store.row(*place))
            .all(|row| !self.facts.is_referred(self.concept, self.write.entity, row));
        let kind = if absent { Kind::Absent } else { Kind::Present };
        free.then_some(Arguments { values, kind })
    }
}
