//! Values for INSERTs with ON CONFLICT, and for those of several rows.

use model::id::{AttributeId, IdList, ParameterId};
use model::workload::{
    Assignment, AssignmentValue, Condition, Predicate, Upsert, Value, WriteKind,
};

use super::assignment::draw_amount;
use super::change::{apply_insert, apply_update, resolve_value};
use super::condition::BoundConditions;
use super::new_row::REINSERTED;
use super::random::Random;
use super::rows::generate_row;
use super::usage::literal_bytes;
use super::write::WriteArgumentChooser;
use super::{ArgumentKind, Arguments};
use crate::dataset::{Datum, Row};

/// The values of a statement, as far as they are drawn.
type DrawnValues = Vec<Option<Datum>>;

impl WriteArgumentChooser<'_> {
    /// Values for an INSERT with ON CONFLICT: of a new row, or of one that exists by one of the
    /// keys.
    pub(super) fn draw_upsert(
        &self,
        upsert: &Upsert,
        is_new: bool,
        random: &mut Random,
    ) -> Option<Arguments> {
        let mut drawn: DrawnValues = vec![None; self.write.parameters.len()];
        let (row, found) = self.draw_upsert_row(upsert, is_new, &mut drawn, random)?;
        let kind = if found.is_some() { ArgumentKind::Present } else { self.classify_new(&row) };
        Some(Arguments { values: complete_values(drawn), kind })
    }

    /// Values for several rows, no two of which have a key in common.
    pub(super) fn draw_rows(&self, rows: &[WriteKind], random: &mut Random) -> Option<Arguments> {
        let mut drawn: DrawnValues = vec![None; self.write.parameters.len()];
        let mut made: Vec<Row> = Vec::new();
        for kind in rows {
            let row = match kind {
                WriteKind::Insert(given) => {
                    let clash = self.write.strict && random.next_bool(0.3);
                    let again = random.next_bool(REINSERTED);
                    let again = again.then(|| self.draw_deleted_key(given, random)).flatten();
                    let copied = again.unwrap_or_default();
                    let row = self.draw_row_values(given, &copied, &mut drawn, random)?;
                    if clash { self.copy_keys(given, row, &mut drawn, random)? } else { row }
                }
                WriteKind::Upsert(upsert) => {
                    self.draw_upsert_row(upsert, random.next_bool(0.5), &mut drawn, random)?.0
                }
                WriteKind::Update(..) | WriteKind::Delete(_) | WriteKind::Rows(_) => return None,
            };
            made.push(row);
        }
        self.settle_rows(rows, &drawn, &mut made)?;
        let taken = |row: &Row| self.facts.is_taken(self.write.entity, self.entity, row, None);
        let kind = if made.iter().any(taken) {
            ArgumentKind::Present
        } else {
            let mut kinds = made.iter().map(|row| self.classify_new(row));
            kinds.find(|kind| *kind == ArgumentKind::Deleted).unwrap_or(ArgumentKind::Absent)
        };
        let inserts = rows.iter().all(|kind| matches!(kind, WriteKind::Insert(_)));
        if inserts && !self.write.strict && kind == ArgumentKind::Present {
            return None;
        }
        Some(Arguments { values: complete_values(drawn), kind })
    }

    /// Makes the rows anew from all values: rows may share parameters, of which the last value
    /// counts. `None` where two of them have a key in common, or one is not valid.
    fn settle_rows(&self, rows: &[WriteKind], drawn: &DrawnValues, made: &mut [Row]) -> Option<()> {
        let values = complete_values(drawn.clone());
        for (kind, row) in rows.iter().zip(made.iter_mut()) {
            let (WriteKind::Insert(given) | WriteKind::Upsert(Upsert { values: given, .. })) = kind
            else {
                return None;
            };
            *row = apply_insert(self.entity, given, &values);
        }
        let mut before: Vec<&Row> = Vec::new();
        for row in made.iter() {
            let is_repeated = before.iter().any(|other| self.has_common_key(row, other));
            if is_repeated || !self.is_valid(row) {
                return None;
            }
            before.push(row);
        }
        Some(())
    }

    /// The row as it is inserted, and the row that exists by one of the keys.
    fn draw_upsert_row(
        &self,
        upsert: &Upsert,
        is_new: bool,
        drawn: &mut DrawnValues,
        random: &mut Random,
    ) -> Option<(Row, Option<usize>)> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let existing = if is_new { None } else { store.draw_row(random) };
        let key = random.pick(&upsert.keys)?;
        let mut copied: Vec<(AttributeId, Datum)> = existing
            .iter()
            .flat_map(|(_, row)| key.iter().map(|at| (*at, row.get(at.index()).cloned().flatten())))
            .collect();
        if is_new && random.next_bool(REINSERTED) {
            copied = self.draw_deleted_key(&upsert.values, random).unwrap_or_default();
        }
        let row = self.draw_row_values(&upsert.values, &copied, drawn, random)?;
        let found = upsert.keys.iter().find_map(|key| {
            let values: Vec<&Datum> = key.iter().filter_map(|part| row.get(part.index())).collect();
            store.find(key, &values).next()
        });
        // Other keys of the new row are free, or those of the same row.
        let place = found.map(|(place, _)| place);
        if self.facts.is_taken(self.write.entity, self.entity, &row, place) {
            return None;
        }
        let Some((place, before)) = found else { return Some((row, None)) };
        if let Some((assignments, conditions)) = &upsert.update {
            self.draw_assigned(before, assignments, drawn, random)?;
            self.draw_compared(before, conditions, drawn, random)?;
            let values = complete_values(drawn.clone());
            let after = apply_update(self.entity, before, assignments, &values);
            let tested = BoundConditions { concept: self.concept, conditions, values: &values };
            let is_changed = tested.find_places(self.facts, self.write.entity).contains(&place);
            let entity = self.write.entity;
            let is_taken = self.facts.is_taken(entity, self.entity, &after, Some(place));
            if is_changed
                && (is_taken || !self.is_valid(&after) || self.has_orphans(before, &after))
            {
                return None;
            }
        }
        Some((row, Some(place)))
    }

    /// Draws the values of an inserted row; `copied` are given.
    fn draw_row_values(
        &self,
        given: &[(AttributeId, Value)],
        copied: &[(AttributeId, Datum)],
        drawn: &mut DrawnValues,
        random: &mut Random,
    ) -> Option<Row> {
        let constants = given.iter().filter_map(|(at, value)| match value {
            Value::Literal(_) => {
                Some((*at, resolve_value(&self.entity.attributes.member(*at)?.ty, value, &[])))
            }
            Value::Parameter(_) => None,
        });
        let mut fixed: Vec<_> = constants.collect();
        // Of a key of constants alone there is one row, which the statement may find.
        let is_fixed = |at: &AttributeId| fixed.iter().any(|(fixed, _)| fixed == at);
        let mut keys = self.entity.keys.iter();
        if let Some(key) = keys.find(|key| key.iter().all(is_fixed)).cloned() {
            fixed.retain(|(at, _)| !key.contains(at));
        }
        let mut row = generate_row(self.concept, self.facts, self.write.entity, &fixed, random)?;
        for (at, value) in copied {
            row.get_mut(at.index())?.clone_from(value);
        }
        keep_values(given, &row, drawn)?;
        let row = apply_insert(self.entity, given, &complete_values(drawn.clone()));
        self.is_valid(&row).then_some(row)
    }

    /// Gives a row all keys of another one, so that it cannot be inserted.
    fn copy_keys(
        &self,
        given: &[(AttributeId, Value)],
        mut row: Row,
        drawn: &mut DrawnValues,
        random: &mut Random,
    ) -> Option<Row> {
        let store = self.facts.stores.get(self.write.entity.index())?;
        let (_, other) = store.draw_row(random)?;
        for part in self.entity.keys.iter().flatten() {
            row[part.index()] = other.get(part.index()).cloned().flatten();
        }
        keep_values(given, &row, drawn)?;
        let row = apply_insert(self.entity, given, &complete_values(drawn.clone()));
        self.is_valid(&row).then_some(row)
    }

    /// Draws what DO UPDATE sets and no inserted value gives.
    fn draw_assigned(
        &self,
        row: &Row,
        assignments: &[Assignment],
        drawn: &mut DrawnValues,
        random: &mut Random,
    ) -> Option<()> {
        for assignment in assignments {
            let at = assignment.attribute;
            let (place, number) = match &assignment.value {
                AssignmentValue::Set(Value::Parameter(place)) => (place, false),
                AssignmentValue::Add(Value::Parameter(place))
                | AssignmentValue::Subtract(Value::Parameter(place)) => (place, true),
                _ => continue,
            };
            if !is_open(drawn, *place) {
                continue;
            }
            let value = if number {
                let attribute = self.entity.attributes.member(at)?;
                literal_bytes(&attribute.ty, &draw_amount(attribute, random))
            } else {
                self.draw_new_value(row, at, random)?
            };
            *drawn.get_mut(place.index())? = Some(value);
        }
        Some(())
    }

    /// Draws what the WHERE of DO UPDATE compares with and no inserted value gives.
    fn draw_compared(
        &self,
        row: &Row,
        conditions: &[Condition],
        drawn: &mut DrawnValues,
        random: &mut Random,
    ) -> Option<()> {
        for condition in conditions {
            let Predicate::Compare { column, value: Value::Parameter(place), .. } =
                &condition.predicate
            else {
                continue;
            };
            if !is_open(drawn, *place) {
                continue;
            }
            let value = if random.next_bool(0.5) {
                row.get(column.attribute.index())?.clone()
            } else {
                Some(self.domain(column.attribute)?.draw_present(random))
            };
            *drawn.get_mut(place.index())? = Some(value);
        }
        Some(())
    }

    /// Whether a row refers to existing rows, and has no null that the design assumes not to occur.
    fn is_valid(&self, row: &Row) -> bool {
        self.check_row(row).is_some()
    }

    /// Whether two rows have a key in common.
    fn has_common_key(&self, one: &Row, other: &Row) -> bool {
        self.entity
            .keys
            .iter()
            .any(|key| key.iter().all(|part| one.get(part.index()) == other.get(part.index())))
    }
}

/// Keeps the values of a row for the parameters that give them.
fn keep_values(given: &[(AttributeId, Value)], row: &Row, drawn: &mut DrawnValues) -> Option<()> {
    for (attribute, value) in given {
        if let Value::Parameter(place) = value {
            *drawn.get_mut(place.index())? = Some(row.get(attribute.index())?.clone());
        }
    }
    Some(())
}

fn is_open(drawn: &DrawnValues, place: ParameterId) -> bool {
    drawn.get(place.index()).is_some_and(Option::is_none)
}

/// The values; null for those that were not drawn.
fn complete_values(drawn: DrawnValues) -> Vec<Datum> {
    drawn.into_iter().map(Option::flatten).collect()
}
