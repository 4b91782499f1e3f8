//! Deletes: the row is removed from every table in which it made one.

use model::concept::{Constraint, Entity, Reference};
use model::id::IdList;
use model::plan::Precondition;

use super::{Impact, RowChange, can_be_null, source_columns};
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

/// What a DELETE does to a table.
pub(super) fn deletion(scope: &Scope<'_>) -> Option<RowChange> {
    let is_counter = scope.table.is_counter();
    match scope.shape.join_role(scope.source) {
        JoinRole::Parent if is_counter => None,
        JoinRole::Parent => Some(RowChange::DeleteStatics),
        JoinRole::Maker | JoinRole::Partner if is_counter => Some(RowChange::Uncount),
        JoinRole::Maker | JoinRole::Partner => Some(RowChange::Delete),
    }
}

impl<'a> Impact<'a> {
    pub(super) fn delete_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let is_open = |reference: &Reference| !reference.on_delete.is_change();
        self.find_restriction(entity, is_open).into_iter().collect()
    }

    /// That no row refers to the row by one of these foreign keys; `None` where there are none.
    pub(super) fn find_restriction(
        &self,
        entity: &Entity,
        is_open: impl Fn(&Reference) -> bool,
    ) -> Option<Precondition> {
        let (mut referring, mut constraints) = (Vec::new(), Vec::new());
        for (holder, other) in self.context.concept.entities.enumerate_ids() {
            let references = other.references.enumerate_ids();
            let open = references.filter(|(_, it)| it.target == self.target.entity && is_open(it));
            let found = constraints.len();
            constraints.extend(open.map(|(at, _)| Constraint::Restriction(holder, at)));
            if constraints.len() > found {
                referring.push(other.name.clone());
            }
        }
        let entity = entity.name.clone();
        (!referring.is_empty()).then_some(Precondition::Unreferenced {
            referring,
            entity,
            constraints,
        })
    }

    /// Whether the key may be null for rows that are not in the table.
    pub(in crate::write_plan) fn can_key_be_null(&self, scope: &Scope<'a>) -> bool {
        let key = scope.table.columns.iter().filter(|column| column.is_key());
        key.flat_map(source_columns).any(|column| {
            let known = scope.shape.attribute_at(column, scope.source).is_some_and(|attribute| {
                self.target.known.get(attribute.index()).is_some_and(Option::is_some)
            });
            !known && can_be_null(scope, column)
        })
    }
}
