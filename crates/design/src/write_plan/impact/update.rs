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

    pub(super) fn update_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        let is_found = matches!(
            self.write.derived,
            Some(DerivedPart::ExistingRow | DerivedPart::NotMoved | DerivedPart::Referring { .. })
        );
        if !self.write.strict && !is_found && self.write.implies.is_empty() {
            preconditions.push(Precondition::RowExists { entity: entity.name.clone() });
        }
        preconditions.extend(self.unique_key_preconditions(entity));
        preconditions.extend(self.constraint_preconditions(entity));
        preconditions
    }
}
