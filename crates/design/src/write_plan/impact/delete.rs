//! Deletes: the row is removed from every table in which it made one.

use model::concept::Entity;
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
        let refers = |other: &&Entity| {
            other.references.iter().any(|reference| {
                reference.target == self.target.entity && !reference.on_delete.is_change()
            })
        };
        let referring = self.context.concept.entities.iter().filter(refers);
        let referring: Vec<_> = referring.map(|other| other.name.clone()).collect();
        if referring.is_empty() {
            return Vec::new();
        }
        vec![Precondition::Unreferenced { referring, entity: entity.name.clone() }]
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
