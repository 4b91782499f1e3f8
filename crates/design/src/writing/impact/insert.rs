//! Inserts: a row for every table that the new row makes one in.

use model::concept::Entity;
use model::id::Numbered;
use model::plan::Precondition;

use super::{Impact, RowChange};
use crate::writing::scope::Scope;
use crate::writing::shape::Part;

impl<'a> Impact<'a> {
    /// What an INSERT does to a table.
    pub(super) fn insertion(&self, scope: &Scope<'a>) -> Option<RowChange> {
        let is_counter = scope.table.is_counter();
        match scope.shape.part(scope.source) {
            Part::Parent if is_counter => None,
            Part::Parent => Some(RowChange::InsertStatics),
            Part::Maker | Part::Partner if is_counter => Some(RowChange::Count),
            Part::Maker | Part::Partner => Some(RowChange::Insert(self.insert_condition(scope))),
        }
    }

    pub(super) fn insert_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        if !self.write.strict {
            preconditions.push(Precondition::FreeKey { entity: entity.name.clone() });
        }
        for reference in &entity.references {
            if let Some(target) = self.context.concept.entities.at(reference.target) {
                let (entity, nullable) = (target.name.clone(), reference.nullable);
                preconditions.push(Precondition::ReferencedRowExists { entity, nullable });
            }
        }
        preconditions.extend(self.unchecked_keys(entity));
        preconditions
    }
}
