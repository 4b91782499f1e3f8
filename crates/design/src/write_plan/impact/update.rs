//! Updates: the columns change where they are, or the row moves.

use model::concept::{Constraint, Entity};
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
        self.find_restriction(entity, |reference| {
            !reference.on_update.is_change()
                && reference.target_attributes.iter().any(|at| self.target.is_changed(*at))
        })
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
        // A key that follows another one is as free as that.
        let is_moved = entity.primary_key().iter().any(|part| self.target.is_changed(*part))
            && !matches!(
                self.write.derived,
                Some(DerivedPart::NotMoved | DerivedPart::Referring { .. })
            );
        if is_moved && self.write.implies.is_empty() {
            let constraint = Constraint::Key(self.target.entity, 0);
            preconditions.push(Precondition::FreeKey { entity: entity.name.clone(), constraint });
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
