//! Updates: the columns change where they are, or the row moves.

use model::concept::{Constraint, Entity};
use model::plan::Precondition;
use model::workload::{Assignment, AssignmentValue, DerivedPart, Value, WriteKind};

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

    /// Whether the write of a reference sets it to its default.
    fn is_default_set(&self) -> bool {
        let WriteKind::Update(assignments, _) = &self.write.kind else { return false };
        let is_default =
            |it: &Assignment| matches!(it.value, AssignmentValue::Set(Value::Literal(_)));
        assignments.iter().any(is_default)
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
        // The key that a reference follows was checked where it began; its default was not.
        if !matches!(self.write.derived, Some(DerivedPart::Referring { .. }))
            || self.is_default_set()
        {
            preconditions.extend(self.reference_preconditions(entity));
        }
        preconditions.extend(self.find_referring_precondition(entity));
        preconditions.extend(self.unique_key_preconditions(entity));
        preconditions.extend(self.constraint_preconditions(entity));
        preconditions
    }
}
