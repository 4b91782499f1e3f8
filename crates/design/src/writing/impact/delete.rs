//! Deletes: the row goes from every table that it made one in.

use model::concept::Entity;
use model::plan::Precondition;

use super::{Impact, RowChange, made_from, may_be_null};
use crate::writing::scope::Scope;
use crate::writing::shape::Part;

/// What a DELETE does to a table.
pub(super) fn deletion(scope: &Scope<'_>) -> Option<RowChange> {
    let is_counter = scope.table.is_counter();
    match scope.shape.part(scope.source) {
        Part::Parent if is_counter => None,
        Part::Parent => Some(RowChange::DeleteStatics),
        Part::Maker | Part::Partner if is_counter => Some(RowChange::Uncount),
        Part::Maker | Part::Partner => Some(RowChange::Delete),
    }
}

impl<'a> Impact<'a> {
    pub(super) fn delete_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let refers = |other: &&Entity| {
            other.references.iter().any(|reference| reference.target == self.target.entity)
        };
        let referring = self.context.concept.entities.iter().filter(refers);
        let referring: Vec<_> = referring.map(|other| other.name.clone()).collect();
        if referring.is_empty() {
            return Vec::new();
        }
        vec![Precondition::Unreferenced { referring, entity: entity.name.clone() }]
    }

    /// Whether the key may be null for rows that are not in the table.
    pub(in crate::writing) fn needs_belonging(&self, scope: &Scope<'a>) -> bool {
        let key = scope.table.columns.iter().filter(|column| column.is_key());
        key.flat_map(made_from).any(|column| {
            let known = scope.shape.attribute_at(column, scope.source).is_some_and(|attribute| {
                self.target.known.get(attribute.index()).is_some_and(Option::is_some)
            });
            !known && may_be_null(scope, column)
        })
    }
}
