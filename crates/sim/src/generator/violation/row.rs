//! Rows that violate a constraint: with a key that is taken, that refer to an absent row, or to
//! which others refer.

use model::concept::{Constraint, Entity, Reference, ReferenceAction};
use model::id::{AttributeId, EntityId, IdList, ParameterId, ReferenceId};
use model::workload::{AssignmentValue, Upsert, Value, WriteKind};

use super::super::ArgumentWish;
use super::super::constraint::is_compared;
use super::super::random::Random;
use super::super::value::nth_value;
use super::super::write::WriteArgumentChooser;
use super::check::{collect_constants, list_candidates};
use super::scope::is_chosen;
use crate::dataset::{Datum, Row};

/// The parameters that give attributes their values, in one part of a write.
type PartParameters = Vec<(AttributeId, ParameterId)>;

impl WriteArgumentChooser<'_> {
    /// Values that may violate a constraint.
    pub(super) fn draw_candidates(
        &self,
        constraint: Constraint,
        random: &mut Random,
    ) -> Vec<Vec<Datum>> {
        let drawn = match constraint {
            Constraint::Check(_, at) => return self.draw_unchecked(at, random),
            Constraint::Key(_, at) => self.entity.keys.get(at).and_then(|key| {
                let other = self.draw_other(|_| true, random)?;
                self.draw_with(key, |part, _| other.get(part.index()).cloned(), random)
            }),
            Constraint::Unique(_, at) => self.entity.unique.get(at).and_then(|unique| {
                let condition = unique.condition.as_ref();
                let other =
                    self.draw_other(|it| is_compared(self.entity, it, condition), random)?;
                let key = &unique.attributes;
                self.draw_with(key, |part, _| other.get(part.index()).cloned(), random)
            }),
            Constraint::Target(_, at) => self.draw_orphan(at, random),
            Constraint::Restriction(holder, at) => {
                let reference = self.concept.entities.member(holder);
                let reference = reference.and_then(|it| it.references.member(at));
                reference.and_then(|reference| self.draw_referred((holder, reference), random))
            }
            Constraint::NotNull(_) | Constraint::Range(_) => None,
        };
        drawn.into_iter().collect()
    }

    /// Values that refer to an absent row, by attributes that are in no other reference where there
    /// are any.
    fn draw_orphan(&self, at: ReferenceId, random: &mut Random) -> Option<Vec<Datum>> {
        let attributes = &self.entity.references.member(at)?.attributes;
        let others = self.entity.references.enumerate_ids().filter(|(other, _)| *other != at);
        let shared: Vec<_> = others.flat_map(|(_, other)| &other.attributes).collect();
        let own: Vec<_> = attributes.iter().copied().filter(|it| !shared.contains(&it)).collect();
        let changed = if own.is_empty() { attributes } else { &own };
        let fresh = |part: AttributeId, random: &mut Random| {
            Some(Some(self.domain(part)?.draw_fresh(random)))
        };
        self.draw_with(changed, fresh, random)
    }

    /// A row of the entity.
    fn draw_other(&self, is_wanted: impl Fn(&Row) -> bool, random: &mut Random) -> Option<&Row> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let (place, row) = store.draw_row(random)?;
        let mut later = (place..store.place_count()).filter_map(|place| store.row(place));
        if is_wanted(row) { Some(row) } else { later.find(|row| is_wanted(row)) }
    }

    /// Values in which one part of the write gives these attributes other values.
    fn draw_with(
        &self,
        attributes: &[AttributeId],
        value: impl Fn(AttributeId, &mut Random) -> Option<Datum>,
        random: &mut Random,
    ) -> Option<Vec<Datum>> {
        let parts = self.list_part_parameters(attributes);
        let part = random.pick(&parts)?;
        let mut values = self.draw_arguments(ArgumentWish::Any, random)?.values;
        for (attribute, parameter) in part {
            *values.get_mut(parameter.index())? = value(*attribute, random)?;
        }
        Some(values)
    }

    /// The parameters that give these attributes their values, for each part of the write.
    fn list_part_parameters(&self, attributes: &[AttributeId]) -> Vec<PartParameters> {
        let kinds = match &self.write.kind {
            WriteKind::Rows(rows) => rows.iter().collect(),
            other => vec![other],
        };
        let mut parts: Vec<PartParameters> = kinds.into_iter().flat_map(list_parameters).collect();
        for part in &mut parts {
            part.retain(|(at, place)| {
                attributes.contains(at) && is_chosen(self.write, &Value::Parameter(*place))
            });
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Values for a check that depends on more than the values of the write.
    fn draw_unchecked(&self, at: usize, random: &mut Random) -> Vec<Vec<Datum>> {
        let check = self.entity.checks.get(at).and_then(|check| check.expression.as_ref());
        let (Some(expression), Some(valid)) =
            (check, self.draw_arguments(ArgumentWish::Any, random))
        else {
            return Vec::new();
        };
        let constants = collect_constants(expression);
        let attributes: Vec<AttributeId> = expression.columns().into_iter().copied().collect();
        let mut drawn = Vec::new();
        for (_, parameter) in self.list_part_parameters(&attributes).into_iter().flatten() {
            let Some(ty) = self.write.parameters.member(parameter).map(|it| &it.ty) else {
                continue;
            };
            for candidate in list_candidates(ty, &constants) {
                let mut values = valid.values.clone();
                if let Some(place) = values.get_mut(parameter.index()) {
                    *place = candidate;
                    drawn.push(values);
                }
            }
        }
        drawn
    }

    /// Values that delete or move a row to which another one refers.
    fn draw_referred(
        &self,
        (holder, reference): (EntityId, &Reference),
        random: &mut Random,
    ) -> Option<Vec<Datum>> {
        let (_, referring) = self.facts.stores.get(holder.index())?.draw_row(random)?;
        let (_, target) = self.facts.find_target(reference, referring)?;
        let row = self.find_root(reference.target, target)?;
        match &self.write.kind {
            WriteKind::Delete(conditions) => {
                let mut values = self.null_values();
                self.satisfy_conditions(row, conditions, &mut values, false, random)?;
                for (value, parameter) in values.iter_mut().zip(&self.write.parameters) {
                    value.get_or_insert_with(|| nth_value(&parameter.ty, 1, 0));
                }
                Some(values)
            }
            WriteKind::Update(assignments, conditions) => {
                let mut values = self.null_values();
                self.choose_assignments(row, assignments, &mut values, random)?;
                self.satisfy_conditions(row, conditions, &mut values, false, random)?;
                Some(values)
            }
            WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => None,
        }
    }

    /// The row of the entity written with which a row is deleted, by cascades.
    fn find_root<'f>(&'f self, mut at: EntityId, mut row: &'f Row) -> Option<&'f Row> {
        for _ in 0..self.concept.entities.len() {
            if at == self.write.entity {
                return Some(row);
            }
            let entity: &Entity = self.concept.entities.member(at)?;
            let mut cascades =
                entity.references.iter().filter(|it| it.on_delete == ReferenceAction::Cascade);
            let found = cascades.find_map(|it| Some((it.target, self.facts.find_target(it, row)?)));
            let (target, (_, next)) = found?;
            (at, row) = (target, next);
        }
        None
    }
}

/// The parameters that give attributes their values, in each part of a write of one row.
fn list_parameters(kind: &WriteKind) -> Vec<PartParameters> {
    let inserted = |given: &[(AttributeId, Value)]| {
        let parameters = given.iter().filter_map(|(at, value)| match value {
            Value::Parameter(place) => Some((*at, *place)),
            Value::Literal(_) => None,
        });
        parameters.collect()
    };
    let assigned = |assignments: &[model::workload::Assignment]| {
        let parameters = assignments.iter().filter_map(|it| match &it.value {
            AssignmentValue::Set(Value::Parameter(place))
            | AssignmentValue::SetUnlessNull(Value::Parameter(place))
            | AssignmentValue::Add(Value::Parameter(place))
            | AssignmentValue::Subtract(Value::Parameter(place)) => Some((it.attribute, *place)),
            _ => None,
        });
        parameters.collect()
    };
    match kind {
        WriteKind::Insert(given) => vec![inserted(given)],
        WriteKind::Update(assignments, _) => vec![assigned(assignments)],
        WriteKind::Upsert(Upsert { values, update, .. }) => {
            let update = update.as_ref().map(|(assignments, _)| assigned(assignments));
            [inserted(values)].into_iter().chain(update).collect()
        }
        WriteKind::Delete(_) | WriteKind::Rows(_) => Vec::new(),
    }
}
