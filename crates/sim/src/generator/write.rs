//! Values for one run of a write.

use std::cell::Cell;

use cql::types::Type;
use cql::value::compare;
use model::concept::{Attribute, Concept, Entity};
use model::id::{AttributeId, IdList, ParameterId};
use model::workload::{
    Assignment, AssignmentValue, Comparison, Condition, Predicate, Supply, Value, Write, WriteKind,
};

use super::change::{apply_insert, apply_update, elements, resolve_value};
use super::condition::BoundConditions;
use super::domain::ValueDomain;
use super::extra_rows::twin_values;
use super::facts::Facts;
use super::limit::add_digit;
use super::new_row::REINSERTED;
use super::random::Random;
use super::rows::generate_row;
use super::value::{join_parts, neighbour, nth_value};
use super::{ArgumentKind, ArgumentWish, Arguments};
use crate::dataset::{Datum, Row};
use crate::record::DrawObstacle;

/// Attempts to find values for a write.
const ATTEMPTS: usize = 40;
/// The most values of other rows in a list.
const LISTED_MAX: usize = 3;
/// References are sometimes made to one of this many newest rows.
const YOUNG_ROWS: usize = 8;

/// Chooses the values of a write.
pub(super) struct WriteArgumentChooser<'a> {
    pub(super) concept: &'a Concept,
    pub(super) write: &'a Write,
    /// The entity that it changes.
    pub(super) entity: &'a Entity,
    /// Whether only elements that are not in the array may be appended.
    pub(super) appends_new: bool,
    /// Whether no row may refer to itself.
    pub(super) no_self_references: bool,
    pub(super) facts: &'a Facts,
    /// Why no values were found the last time.
    pub(super) obstacle: Cell<DrawObstacle>,
}

impl WriteArgumentChooser<'_> {
    /// Values that meet the preconditions of the write.
    pub(super) fn draw_arguments(
        &self,
        wish: ArgumentWish,
        random: &mut Random,
    ) -> Option<Arguments> {
        let is_absent_wanted = wish == ArgumentWish::Absent;
        // What the client makes, such as the current time, is never null.
        let is_made = |drawn: &Arguments| {
            let mut pairs = self.write.parameters.iter().zip(&drawn.values);
            pairs.all(|(it, value)| value.is_some() || !matches!(it.supply, Supply::Client(_)))
        };
        let mut drawn = match &self.write.kind {
            WriteKind::Insert(given) => {
                (0..ATTEMPTS).find_map(|_| self.draw_insert(given, random).filter(is_made))
            }
            WriteKind::Update(assignments, conditions) => {
                let absent = is_absent_wanted || (self.write.strict && random.next_bool(0.15));
                (0..ATTEMPTS).find_map(|_| {
                    self.draw_update(assignments, conditions, absent, random).filter(is_made)
                })
            }
            WriteKind::Delete(conditions) => {
                let absent = is_absent_wanted || random.next_bool(0.1);
                (0..ATTEMPTS).find_map(|_| self.draw_delete(conditions, absent, random))
            }
            WriteKind::Upsert(upsert) => {
                let is_new = random.next_bool(0.4);
                (0..ATTEMPTS).find_map(|_| self.draw_upsert(upsert, is_new, random).filter(is_made))
            }
            WriteKind::Rows(rows) => {
                (0..ATTEMPTS).find_map(|_| self.draw_rows(rows, random).filter(is_made))
            }
        }?;
        self.fill_arrays(&mut drawn.values);
        Some(drawn)
    }

    /// Makes nulls of arrays empty arrays: both read alike, but a column that is never null takes
    /// only the latter. A null that leaves the column as it is stays one.
    fn fill_arrays(&self, values: &mut [Datum]) {
        let is_optional = |at: usize| match &self.write.kind {
            WriteKind::Update(assignments, _) => assignments.iter().any(|assignment| {
                matches!(&assignment.value, AssignmentValue::SetUnlessNull(Value::Parameter(place))
                    if place.index() == at)
            }),
            _ => false,
        };
        for (at, (value, parameter)) in values.iter_mut().zip(&self.write.parameters).enumerate() {
            let is_array = matches!(parameter.ty, Type::List(..) | Type::Set(..));
            if value.is_none() && is_array && !is_optional(at) {
                *value = Some(join_parts(&parameter.ty, &[]));
            }
        }
    }

    /// Gives some of the numbers that are rounded when they are written a digit more.
    pub(super) fn add_digits(&self, values: &mut [Datum]) {
        for (at, place) in list_written(&self.write.kind) {
            let in_key = self.entity.keys.iter().any(|key| key.contains(&at));
            let scale = self.entity.attributes.member(at).and_then(Attribute::scale);
            let (Some(scale), false) = (scale, in_key) else { continue };
            let Some(value) = values.get_mut(place.index()) else { continue };
            // The relational database stores six digits.
            let more = value.as_deref().filter(|_| scale < 6).and_then(|it| add_digit(scale, it));
            if more.is_some() {
                *value = more;
            }
        }
    }

    /// No values, for this reason.
    pub(super) fn reject<T>(&self, obstacle: DrawObstacle) -> Option<T> {
        self.obstacle.set(obstacle);
        None
    }

    /// The name of the entity.
    pub(super) fn name(&self) -> String {
        self.entity.name.clone()
    }

    /// A row to change or delete: sometimes one that was written lately, so that keys are written
    /// repeatedly.
    fn draw_row(&self, random: &mut Random) -> Option<(ArgumentKind, &Row)> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let written = store.place_count().checked_sub(self.facts.initial_places(self.write.entity));
        let again = written.filter(|written| *written > 0 && random.next_bool(0.3));
        let (kind, found) = match again {
            Some(written) => {
                let place = store.place_count() - 1 - random.next_below(written.min(YOUNG_ROWS));
                (ArgumentKind::Repeated, store.next_row(place))
            }
            None => (ArgumentKind::Present, store.draw_row(random)),
        };
        match found {
            Some((_, row)) => Some((kind, row)),
            None => self.reject(DrawObstacle::NoRow { entity: self.name() }),
        }
    }

    pub(super) fn null_values(&self) -> Vec<Datum> {
        vec![None; self.write.parameters.len()]
    }

    /// Gives a row times older than those of all existing rows, which makes a new oldest bucket.
    fn age_row(&self, row: &mut Row, random: &mut Random) {
        let domains = self.facts.domains.get(self.write.entity.index()).into_iter().flatten();
        for (value, domain) in row.iter_mut().zip(domains) {
            if let Some(older) = domain.draw_older(random).filter(|_| value.is_some()) {
                *value = Some(older);
            }
        }
    }

    fn draw_insert(
        &self,
        given: &[(AttributeId, Value)],
        random: &mut Random,
    ) -> Option<Arguments> {
        let constants: Vec<(AttributeId, Datum)> = given
            .iter()
            .filter(|(_, value)| matches!(value, Value::Literal(_)))
            .filter_map(|(at, value)| {
                Some((*at, resolve_value(&self.entity.attributes.member(*at)?.ty, value, &[])))
            })
            .collect();
        let at = self.write.entity;
        let mut fixed = constants;
        if random.next_bool(0.15) {
            let part = random.next_below(self.entity.attributes.len());
            let alike = twin_values(self.facts, at, self.entity, part, random);
            fixed.extend(
                alike
                    .into_iter()
                    .filter(|(twin, _)| !fixed.iter().any(|it| it.0 == *twin))
                    .collect::<Vec<_>>(),
            );
        }
        if random.next_bool(REINSERTED) {
            let key = self.draw_deleted_key(given, random).unwrap_or_default();
            fixed.retain(|(own, _)| !key.iter().any(|it| it.0 == *own));
            fixed.extend(key);
        }
        if random.next_bool(0.2) {
            let young = self.draw_young_parent(random).unwrap_or_default();
            let free = |(own, _): &(AttributeId, Datum)| !fixed.iter().any(|it| it.0 == *own);
            let young: Vec<_> = young.into_iter().filter(free).collect();
            fixed.extend(young);
        }
        let Some(mut row) = generate_row(self.concept, self.facts, at, &fixed, random) else {
            return self.reject(DrawObstacle::NoNewRow { entity: self.name() });
        };
        if random.next_bool(0.05) {
            self.age_row(&mut row, random);
        }
        let clash = self.write.strict && random.next_bool(0.15);
        if clash && let Some((_, other)) = self.facts.stores.get(at.index())?.draw_row(random) {
            // All keys of one row, so that the insert is rejected whichever key is checked first.
            for part in self.entity.keys.iter().flatten() {
                row[part.index()] = other.get(part.index()).cloned().flatten();
            }
        }
        let mut values = self.null_values();
        for (attribute, value) in given {
            if let Value::Parameter(place) = value {
                values.get_mut(place.index())?.clone_from(row.get(attribute.index())?);
            }
        }
        // One parameter may set several attributes.
        let row = apply_insert(self.entity, given, &values);
        let taken = self.facts.is_taken(at, self.entity, &row, None);
        let kind = if taken { ArgumentKind::Present } else { self.classify_new(&row) };
        if taken && !clash {
            return self.reject(DrawObstacle::KeyTaken { entity: self.name() });
        }
        self.check_row(&row)?;
        Some(Arguments { values, kind })
    }

    /// A reference to a row that a write may have added: copies that the write omitted show only in
    /// rows that refer to it.
    fn draw_young_parent(&self, random: &mut Random) -> Option<Vec<(AttributeId, Datum)>> {
        let reference = random.pick(&self.entity.references)?;
        let store = self.facts.stores.get(reference.target.index())?;
        let (_, parent) =
            store.next_row(store.place_count().checked_sub(1 + random.next_below(YOUNG_ROWS))?)?;
        let pairs = reference.attributes.iter().zip(&reference.target_attributes);
        Some(
            pairs
                .map(|(own, target)| (*own, parent.get(target.index()).cloned().flatten()))
                .collect(),
        )
    }

    fn draw_update(
        &self,
        assignments: &[Assignment],
        conditions: &[Condition],
        absent: bool,
        random: &mut Random,
    ) -> Option<Arguments> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let (kind, row) = self.draw_row(random)?;
        let mut values = self.null_values();
        self.choose_assignments(row, assignments, &mut values, random)?;
        self.satisfy_conditions(row, conditions, &mut values, absent, random)?;
        let tested = BoundConditions { concept: self.concept, conditions, values: &values };
        let places = tested.find_places(self.facts, self.write.entity);
        let in_key = |at: AttributeId| {
            let mut unique = self.entity.unique.iter();
            self.entity.keys.iter().any(|key| key.contains(&at))
                || unique.any(|unique| unique.attributes.contains(&at))
        };
        if absent && !places.is_empty() {
            return None;
        }
        if places.len() > 1 && assignments.iter().any(|it| in_key(it.attribute)) {
            return self.reject(DrawObstacle::SeveralRows { entity: self.name() });
        }
        // Where only a condition besides the key fails, the row exists nevertheless.
        for place in places {
            let row = store.row(place)?;
            let after = apply_update(self.entity, row, assignments, &values);
            let taken = self.facts.is_taken(self.write.entity, self.entity, &after, Some(place));
            if taken {
                return self.reject(DrawObstacle::KeyTaken { entity: self.name() });
            }
            self.check_row(&after)?;
            if self.has_orphans(row, &after) {
                return self.reject(DrawObstacle::Referenced { entity: self.name() });
            }
        }
        Some(Arguments { values, kind: if absent { ArgumentKind::Absent } else { kind } })
    }

    /// Whether other rows refer to the old key of a changed row.
    pub(super) fn has_orphans(&self, row: &Row, after: &Row) -> bool {
        let at = self.write.entity;
        let references = self.concept.entities.iter().flat_map(|entity| &entity.references);
        let targets = references
            .filter(|it| it.target == at && !it.on_update.is_change())
            .flat_map(|it| &it.target_attributes);
        let mut targets = targets.map(|at| (row.get(at.index()), after.get(at.index())));
        targets.any(|(before, after)| before != after)
            && self.facts.is_referred(self.concept, at, row)
    }

    pub(super) fn domain(&self, attribute: AttributeId) -> Option<&ValueDomain> {
        self.facts.domains.get(self.write.entity.index())?.get(attribute.index())
    }

    /// The values of conditions so that a row meets them; a condition besides the key sometimes
    /// fails.
    pub(super) fn satisfy_conditions(
        &self,
        row: &Row,
        conditions: &[Condition],
        values: &mut [Datum],
        absent: bool,
        random: &mut Random,
    ) -> Option<()> {
        // Without a column of the key any condition may be the one that no row meets.
        let has_key = conditions.iter().any(|condition| {
            let mut columns = condition.predicate.columns().iter();
            columns.any(|column| self.entity.primary_key().contains(&column.attribute))
        });
        for condition in conditions {
            let at = condition.predicate.columns().first()?.attribute;
            let in_key = self.entity.primary_key().contains(&at);
            let domain = self.domain(at)?;
            let shown = if absent && (in_key || !has_key) {
                let beyond = self.value_beyond(&condition.predicate);
                Some(beyond.unwrap_or_else(|| domain.draw_fresh(random)))
            } else if !in_key && random.next_bool(0.25) {
                Some(domain.draw_present(random))
            } else {
                row.get(at.index())?.clone()
            };
            self.satisfy_condition(&condition.predicate, row, &shown, values, random)?;
        }
        Some(())
    }

    /// A value outside those of all rows, on the side that a range does not reach: no row meets the
    /// range that it bounds. `None` where the condition is no range.
    fn value_beyond(&self, predicate: &Predicate) -> Option<Vec<u8>> {
        let Predicate::Compare { column, comparison, .. } = predicate else { return None };
        let is_upper_bound = match comparison {
            Comparison::Less | Comparison::LessOrEqual => true,
            Comparison::Greater | Comparison::GreaterOrEqual => false,
            Comparison::Equal => return None,
        };
        let ty = &self.entity.attributes.member(column.attribute)?.ty;
        let rows = self.facts.stores.get(self.write.entity.index())?.rows();
        let values = rows.filter_map(|(_, row)| row.get(column.attribute.index())?.as_ref());
        let order = |one: &&Vec<u8>, other: &&Vec<u8>| compare(ty, one, other);
        let outermost = if is_upper_bound { values.min_by(order) } else { values.max_by(order) };
        Some(neighbour(ty, outermost?, !is_upper_bound))
    }

    /// The values of one condition; `shown` is the value of its column.
    fn satisfy_condition(
        &self,
        test: &Predicate,
        row: &Row,
        shown: &Datum,
        values: &mut [Datum],
        random: &mut Random,
    ) -> Option<()> {
        let ty = &self.entity.attributes.member(test.columns().first()?.attribute)?.ty;
        match test {
            Predicate::Compare { comparison, value: Value::Parameter(at), .. } => {
                let own = shown.as_ref()?;
                *values.get_mut(at.index())? = Some(match comparison {
                    Comparison::Less => neighbour(ty, own, true),
                    Comparison::Greater => neighbour(ty, own, false),
                    _ => own.clone(),
                });
            }
            Predicate::Holds { value: Value::Parameter(at), .. } => {
                let held = elements(ty, shown);
                *values.get_mut(at.index())? = Some(random.pick(&held)?.clone());
            }
            Predicate::Prefix { value: Value::Parameter(at), .. } => {
                values.get_mut(at.index())?.clone_from(shown);
            }
            Predicate::In { column, values: list, .. } => {
                let mut listed = self.draw_listed(column.attribute, row, shown, random);
                listed.resize(list.len(), shown.clone());
                for (value, shown) in list.iter().zip(listed) {
                    let Value::Parameter(at) = value else { continue };
                    *values.get_mut(at.index())? = shown;
                }
            }
            Predicate::AnyOf { column, parameter, .. } => {
                let ty = &self.write.parameters.member(*parameter)?.ty;
                let listed = self.draw_listed(column.attribute, row, shown, random);
                *values.get_mut(parameter.index())? = Some(join_parts(ty, &listed));
            }
            Predicate::Row { columns, values: list, .. } => {
                for (column, value) in columns.iter().zip(list) {
                    let Value::Parameter(at) = value else { continue };
                    values.get_mut(at.index())?.clone_from(row.get(column.attribute.index())?);
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The values of a list: one alone, or with those of other rows, one of them perhaps twice. A
    /// value that is not the row's own stays alone: no row may be wanted.
    fn draw_listed(
        &self,
        at: AttributeId,
        row: &Row,
        shown: &Datum,
        random: &mut Random,
    ) -> Vec<Datum> {
        let mut listed = vec![shown.clone()];
        let store = self.facts.stores.get(self.write.entity.index());
        if row.get(at.index()) == Some(shown) && random.next_bool(0.6) {
            for _ in 0..=random.next_below(LISTED_MAX) {
                let other = store.and_then(|store| store.draw_row(random));
                let value = other.and_then(|(_, other)| other.get(at.index()));
                listed.extend(value.filter(|value| value.is_some()).cloned());
            }
        }
        listed
    }

    fn draw_delete(
        &self,
        conditions: &[Condition],
        absent: bool,
        random: &mut Random,
    ) -> Option<Arguments> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let (kind, row) = self.draw_row(random)?;
        let mut values = self.null_values();
        self.satisfy_conditions(row, conditions, &mut values, absent, random)?;
        for (value, parameter) in values.iter_mut().zip(&self.write.parameters) {
            value.get_or_insert_with(|| nth_value(&parameter.ty, 1, 0));
        }
        let tested = BoundConditions { concept: self.concept, conditions, values: &values };
        let places = tested.find_places(self.facts, self.write.entity);
        let free = places
            .iter()
            .filter_map(|place| store.row(*place))
            .all(|row| !self.facts.is_restricted(self.concept, self.write.entity, row));
        if !free {
            return self.reject(DrawObstacle::Referenced { entity: self.name() });
        }
        if absent && !places.is_empty() {
            return None;
        }
        Some(Arguments { values, kind: if absent { ArgumentKind::Absent } else { kind } })
    }
}

/// The attributes that a write sets to parameters.
fn list_written(kind: &WriteKind) -> Vec<(AttributeId, ParameterId)> {
    let given = |values: &[(AttributeId, Value)]| -> Vec<(AttributeId, ParameterId)> {
        let parameters = values.iter().filter_map(|(at, value)| match value {
            Value::Parameter(place) => Some((*at, *place)),
            Value::Literal(_) => None,
        });
        parameters.collect()
    };
    let set = |assignments: &[Assignment]| -> Vec<(AttributeId, ParameterId)> {
        let parameters = assignments.iter().filter_map(|it| match &it.value {
            AssignmentValue::Set(Value::Parameter(place))
            | AssignmentValue::SetUnlessNull(Value::Parameter(place)) => {
                Some((it.attribute, *place))
            }
            _ => None,
        });
        parameters.collect()
    };
    match kind {
        WriteKind::Insert(values) => given(values),
        WriteKind::Update(assignments, _) => set(assignments),
        WriteKind::Delete(_) => Vec::new(),
        WriteKind::Upsert(upsert) => given(&upsert.values),
        WriteKind::Rows(rows) => rows.iter().flat_map(list_written).collect(),
    }
}
