//! Inserts: a row in every table in which the new row makes one.

use model::concept::Entity;
use model::id::IdList;
use model::plan::Precondition;
use model::workload::DerivedPart;

use super::{Impact, RowChange};
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

impl<'a> Impact<'a> {
    /// What an INSERT does to a table.
    pub(super) fn insertion(&self, scope: &Scope<'a>) -> Option<RowChange> {
        let is_counter = scope.table.is_counter();
        match scope.shape.join_role(scope.source) {
            JoinRole::Parent if is_counter => None,
            JoinRole::Parent => Some(RowChange::InsertStatics),
            JoinRole::Maker | JoinRole::Partner if is_counter => Some(RowChange::Count),
            JoinRole::Maker | JoinRole::Partner => {
                Some(RowChange::Insert(self.insert_condition(scope)))
            }
        }
    }

    pub(super) fn insert_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        if !self.write.strict && self.write.derived != Some(DerivedPart::NewRow) {
            preconditions.push(Precondition::FreeKey { entity: entity.name.clone() });
        }
        preconditions.extend(self.reference_preconditions(entity));
        preconditions.extend(self.unique_key_preconditions(entity));
        preconditions.extend(self.constraint_preconditions(entity));
        preconditions
    }

    /// That the rows exist to which changed attributes refer.
    pub(super) fn reference_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        for reference in &entity.references {
            if !reference.attributes.iter().any(|at| self.target.is_changed(*at)) {
                continue;
            }
            if let Some(target) = self.context.concept.entities.member(reference.target) {
                let (entity, nullable) = (target.name.clone(), reference.nullable);
                preconditions.push(Precondition::ReferencedRowExists { entity, nullable });
            }
        }
        preconditions
    }
}
