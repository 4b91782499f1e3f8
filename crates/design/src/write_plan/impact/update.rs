//! Updates: the columns change where they are, or the row moves.

use model::concept::Entity;
use model::plan::Precondition;
use model::workload::DerivedPart;

use super::{Impact, RowChange};
use crate::write_plan::scope::Scope;

impl<'a> Impact<'a> {
    /// What an UPDATE does to a table.
    pub(super) fn update(&self, scope: &Scope<'a>) -> RowChange {
        if scope.table.is_counter() {
            RowChange::Recount
        } else {
            RowChange::Update(self.table_changes(scope))
        }
    }

    /// That no row refers to a key that changes, where the reference does not follow it.
    fn find_referring_precondition(&self, entity: &Entity) -> Option<Precondition> {
        let refers = |other: &&Entity| {
            other.references.iter().any(|reference| {
                reference.target == self.target.entity
                    && !reference.on_update.is_change()
                    && reference.target_attributes.iter().any(|at| self.target.is_changed(*at))
            })
        };
        let referring = self.context.concept.entities.iter().filter(refers);
        let referring: Vec<_> = referring.map(|other| other.name.clone()).collect();
        let entity = entity.name.clone();
        (!referring.is_empty()).then_some(Precondition::Unreferenced { referring, entity })
    }

    pub(super) fn update_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        let is_found = matches!(
            self.write.derived,
            Some(DerivedPart::ExistingRow | DerivedPart::NotMoved | DerivedPart::Referring { .. })
        );
        // What is returned tells whether the row exists.
        let is_read = self.write.returning.is_some();
        if !self.write.strict && !is_found && !is_read && self.write.implies.is_empty() {
            preconditions.push(Precondition::RowExists { entity: entity.name.clone() });
        }
        // What a cascade sets was checked where it began.
        if !matches!(self.write.derived, Some(DerivedPart::Referring { .. })) {
            preconditions.extend(self.reference_preconditions(entity));
        }
        preconditions.extend(self.find_referring_precondition(entity));
        preconditions.extend(self.unique_key_preconditions(entity));
        preconditions.extend(self.constraint_preconditions(entity));
        preconditions
    }
}
