//! Inserts: a row in every table in which the new row makes one.

use model::concept::{Constraint, Entity};
use model::id::{IdList, WriteId};
use model::plan::Precondition;
use model::workload::{DerivedPart, WriteKind};

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
        let is_found_before = self.is_primary_key_read();
        if !self.write.strict && !is_found_before {
            let constraint = Constraint::Key(self.target.entity, 0);
            preconditions.push(Precondition::FreeKey { entity: entity.name.clone(), constraint });
        }
        preconditions.extend(self.reference_preconditions(entity));
        preconditions.extend(self.unique_key_preconditions(entity));
        preconditions.extend(self.constraint_preconditions(entity));
        preconditions
    }

    /// Whether a row with the same primary key was looked for and not found: the new row of an
    /// upsert by this key.
    fn is_primary_key_read(&self) -> bool {
        let workload = self.context.workload;
        let is_own = |write: &WriteId| {
            workload.writes.member(*write).is_some_and(|write| std::ptr::eq(write, self.write))
        };
        let mut writes = workload.writes.iter();
        let whole = writes.find(|write| write.implies.iter().any(is_own)).map(|write| &write.kind);
        let Some(WriteKind::Upsert(upsert)) = whole else { return false };
        let primary = self.entity().map(Entity::primary_key);
        self.write.derived == Some(DerivedPart::NewRow)
            && primary.is_some_and(|key| upsert.keys.iter().any(|it| it == key))
    }

    /// That the rows exist to which changed attributes refer.
    pub(super) fn reference_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        for (at, reference) in entity.references.enumerate_ids() {
            if !reference.attributes.iter().any(|at| self.target.is_changed(*at)) {
                continue;
            }
            if let Some(target) = self.context.concept.entities.member(reference.target) {
                preconditions.push(Precondition::ReferencedRowExists {
                    entity: target.name.clone(),
                    nullable: reference.nullable,
                    constraint: Constraint::Target(self.target.entity, at),
                });
            }
        }
        preconditions
    }
}
