//! The rows that writes make: keys that were deleted, and what a row must meet.

use std::collections::BTreeSet;

use model::concept::Reference;
use model::id::{AttributeId, IdList};
use model::workload::{Supply, Value};

use super::ArgumentKind;
use super::constraint::{compute_generated, has_valid_checks};
use super::random::Random;
use super::write::WriteArgumentChooser;
use crate::dataset::{Datum, Row};
use crate::record::DrawObstacle;

/// The share of inserts with the key of a deleted row.
pub(super) const REINSERTED: f64 = 0.15;

impl WriteArgumentChooser<'_> {
    /// The primary key of a deleted row, where the application chooses the key.
    pub(super) fn draw_deleted_key(
        &self,
        given: &[(AttributeId, Value)],
        random: &mut Random,
    ) -> Option<Vec<(AttributeId, Datum)>> {
        let is_chosen = |part: &AttributeId| {
            let place = given.iter().find_map(|(at, value)| match value {
                Value::Parameter(place) if at == part => Some(*place),
                _ => None,
            });
            let parameter = place.and_then(|place| self.write.parameters.member(place));
            parameter.is_some_and(|it| !matches!(it.supply, Supply::Client(_)))
        };
        let key = self.entity.primary_key();
        let values = self.facts.draw_gone_key(self.write.entity, random)?;
        let pairs = key.iter().copied().zip(values.iter().cloned());
        key.iter().all(is_chosen).then(|| pairs.collect())
    }

    /// Whether the key of a new row is that of a deleted one.
    pub(super) fn classify_new(&self, row: &Row) -> ArgumentKind {
        if self.facts.is_deleted(self.write.entity, self.entity, row) {
            ArgumentKind::Deleted
        } else {
            ArgumentKind::Absent
        }
    }

    /// Rejects a row that refers to a missing row, has a null that the design assumes
    /// away, or violates a constraint.
    pub(super) fn check_row(&self, row: &Row) -> Option<()> {
        // A key may refer to a unique column that is null in some rows.
        let mut key = self.entity.primary_key().iter();
        if key.any(|part| row.get(part.index()).is_none_or(Option::is_none)) {
            return self.reject(DrawObstacle::Constraint { entity: self.name() });
        }
        if let Some(entity) = self.missing_target(row) {
            return self.reject(DrawObstacle::NoReferencedRow { entity });
        }
        if self.no_self_references && self.is_self_referring(row) {
            return self.reject(DrawObstacle::SelfReference { entity: self.name() });
        }
        if let Some(attribute) = self.facts.wrong_null(self.write.entity, row) {
            let attribute = self.entity.attributes.member(attribute)?.name.clone();
            return self.reject(DrawObstacle::NeverNull { entity: self.name(), attribute });
        }
        if !self.has_valid_values(row) {
            return self.reject(DrawObstacle::Constraint { entity: self.name() });
        }
        Some(())
    }

    /// Whether the references of a row lead back to it.
    fn is_self_referring(&self, start: &Row) -> bool {
        let refers_back = |reference: &Reference, row: &Row| {
            let mut pairs = reference.attributes.iter().zip(&reference.target_attributes);
            reference.target == self.write.entity
                && pairs.all(|(own, target)| {
                    let value = row.get(own.index()).filter(|value| value.is_some());
                    value.is_some() && value == start.get(target.index())
                })
        };
        let mut seen = BTreeSet::new();
        let mut open = vec![(self.entity, start)];
        while let Some((entity, row)) = open.pop() {
            for reference in &entity.references {
                if refers_back(reference, row) {
                    return true;
                }
                let Some((place, next)) = self.facts.find_target(reference, row) else { continue };
                if seen.insert((reference.target, place)) {
                    let target = self.concept.entities.member(reference.target);
                    open.extend(target.map(|target| (target, next)));
                }
            }
        }
        false
    }

    /// Whether the table accepts a row: that it does is a precondition of the write.
    fn has_valid_values(&self, row: &Row) -> bool {
        let mut row = row.clone();
        compute_generated(self.entity, &mut row) && has_valid_checks(self.entity, &row)
    }

    /// The entity of a row that a row refers to and that does not exist.
    fn missing_target(&self, row: &Row) -> Option<String> {
        let missing = self.entity.references.iter().find(|reference| {
            let null = |at: &AttributeId| row.get(at.index()).is_none_or(Option::is_none);
            !reference.attributes.iter().any(null)
                && self.facts.find_target(reference, row).is_none()
        })?;
        Some(self.concept.entities.member(missing.target)?.name.clone())
    }
}
