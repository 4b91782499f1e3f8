//! The new values that a write gives the attributes of a row.

use model::concept::Attribute;
use model::id::{AttributeId, IdList};
use model::workload::{Assignment, AssignmentValue, Value};

use super::change::elements;
use super::constraint::is_in_unique;
use super::random::Random;
use super::rows::draw_place;
use super::usage::literal_bytes;
use super::write::WriteArgumentChooser;
use crate::dataset::{Datum, Row};

/// Where there is no row to refer to, the reference is null.
static NO_PARENT: Row = Row::new();

impl WriteArgumentChooser<'_> {
    /// Chooses the new values of a row.
    pub(super) fn choose_assignments(
        &self,
        row: &Row,
        assignments: &[Assignment],
        values: &mut [Datum],
        random: &mut Random,
    ) -> Option<()> {
        let referred = self.draw_references(row, assignments, random)?;
        for assignment in assignments {
            let at = assignment.attribute;
            let (place, chosen) = match &assignment.value {
                AssignmentValue::SetUnlessNull(Value::Parameter(place))
                    if random.next_bool(0.4) =>
                {
                    (place, None)
                }
                AssignmentValue::Set(Value::Parameter(place))
                | AssignmentValue::SetUnlessNull(Value::Parameter(place)) => {
                    let parent = referred.iter().find(|(other, _)| *other == at);
                    let chosen = match parent {
                        Some((_, value)) => value.clone(),
                        None => self.draw_new_value(row, at, random)?,
                    };
                    (place, chosen)
                }
                AssignmentValue::Add(Value::Parameter(place))
                | AssignmentValue::Subtract(Value::Parameter(place)) => {
                    let attribute = self.entity.attributes.member(at)?;
                    let number = draw_amount(attribute, random);
                    (place, literal_bytes(&attribute.ty, &number))
                }
                AssignmentValue::Append(Value::Parameter(place)) => {
                    (place, Some(self.draw_element(row, at, random)?))
                }
                AssignmentValue::Remove(Value::Parameter(place)) => {
                    let held =
                        elements(&self.entity.attributes.member(at)?.ty, row.get(at.index())?);
                    let held = random.pick(&held).filter(|_| random.next_bool(0.8)).cloned();
                    let other = self.domain(at)?.draw_element(random);
                    (place, Some(held.unwrap_or(other)))
                }
                _ => continue,
            };
            *values.get_mut(place.index())? = chosen;
        }
        Some(())
    }

    /// The new value of an attribute: sometimes the current one.
    pub(super) fn draw_new_value(
        &self,
        row: &Row,
        at: AttributeId,
        random: &mut Random,
    ) -> Option<Datum> {
        let in_key = self.entity.keys.iter().any(|key| key.contains(&at));
        let domain = self.domain(at)?;
        Some(if random.next_bool(0.15) {
            row.get(at.index())?.clone()
        } else if in_key || (is_in_unique(self.entity, at) && random.next_bool(0.5)) {
            Some(domain.draw_fresh(random))
        } else {
            domain.draw(random)
        })
    }

    /// An element to append: sometimes an existing one, where that is allowed.
    fn draw_element(&self, row: &Row, at: AttributeId, random: &mut Random) -> Option<Vec<u8>> {
        let held = elements(&self.entity.attributes.member(at)?.ty, row.get(at.index())?);
        let again = random.pick(&held).filter(|_| random.next_bool(0.2) && !self.appends_new);
        let element = match again {
            Some(again) => again.clone(),
            None => self.domain(at)?.draw_element(random),
        };
        (!self.appends_new || !held.contains(&element)).then_some(element)
    }

    /// The values of references that are set: keys of existing rows, or null.
    fn draw_references(
        &self,
        row: &Row,
        assignments: &[Assignment],
        random: &mut Random,
    ) -> Option<Vec<(AttributeId, Datum)>> {
        let mut referred = Vec::new();
        let set = |at: &AttributeId| assignments.iter().any(|it| it.attribute == *at);
        let references = self.entity.references.iter();
        for reference in references.filter(|it| it.attributes.iter().any(set)) {
            let store = self.facts.stores.get(reference.target.index())?;
            let pairs = reference.attributes.iter().zip(&reference.target_attributes);
            let kept: Vec<_> = pairs.filter(|(own, _)| !set(own)).collect();
            let parent = if kept.is_empty() {
                store.next_row(draw_place(reference, store.place_count(), random))?.1
            } else {
                // The part of the reference that is not set says which rows it may refer to.
                let fits = |parent: &&Row| {
                    kept.iter().all(|(own, at)| row.get(own.index()) == parent.get(at.index()))
                };
                let rows: Vec<&Row> = store.rows().map(|(_, row)| row).filter(fits).collect();
                match random.pick(&rows) {
                    Some(parent) => parent,
                    None => &NO_PARENT,
                }
            };
            let null = reference.nullable && random.next_bool(0.15);
            for (own, target) in reference.attributes.iter().zip(&reference.target_attributes) {
                referred
                    .push((*own, parent.get(target.index()).cloned().flatten().filter(|_| !null)));
            }
        }
        Some(referred)
    }
}

/// An amount that is added: with half a unit more than its column keeps, where it keeps digits.
pub(super) fn draw_amount(attribute: &Attribute, random: &mut Random) -> String {
    let number = random.next_between(-3, 9);
    match attribute.scale().filter(|scale| *scale < 6) {
        Some(scale) => format!("{number}.{}5", "0".repeat(scale as usize)),
        None => number.to_string(),
    }
}
