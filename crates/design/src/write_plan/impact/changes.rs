//! What a write changes in a table.

use model::id::AttributeId;
use model::plan::{ColumnRole, Derivation, PlannedColumn};
use model::workload::Column;

use super::target::AttributeChange;
use super::{Impact, source_columns};
use crate::write_plan::join_graph::JoinHop;
use crate::write_plan::scope::Scope;

/// What a write changes in a table.
#[derive(Clone, Copy)]
pub(in crate::write_plan) struct TableChanges {
    /// The row's key, whether it belongs into the table, or what it is joined with.
    pub(in crate::write_plan) place: bool,
    /// Which elements there are.
    pub(in crate::write_plan) elements: bool,
    /// Columns outside the key.
    pub(in crate::write_plan) regular: bool,
}

impl<'a> Impact<'a> {
    /// Whether the write changes what a column of the table's sources is: itself, or the row that
    /// it is joined from.
    pub(in crate::write_plan) fn is_affected(&self, scope: &Scope<'a>, column: Column) -> bool {
        if let Some(attribute) = scope.attribute(column) {
            return self.target.is_changed(attribute);
        }
        let routes = scope.shape.routes(scope.source);
        let mut at = column.source;
        for _ in 0..routes.len() {
            let Some(hop) = routes.get(at.index()).copied().flatten() else { return false };
            let refers = |attribute: &AttributeId| self.target.is_changed(*attribute);
            if scope.is_written(hop.from) && hop.to_one {
                return hop.reference.attributes.iter().any(refers);
            }
            at = hop.from;
        }
        false
    }

    /// Whether the write changes the values of a column.
    pub(in crate::write_plan) fn is_column_affected(
        &self,
        scope: &Scope<'a>,
        planned: &PlannedColumn,
    ) -> bool {
        source_columns(planned).into_iter().any(|column| self.is_affected(scope, column))
    }

    /// Whether the write may change that a row belongs into the table, or what it is joined with.
    pub(in crate::write_plan) fn is_membership_affected(&self, scope: &Scope<'a>) -> bool {
        let holds = &scope.table.holds;
        let filtered = holds.filters.iter().flat_map(|filter| filter.predicate.columns()).copied();
        let joined = scope.shape.hops(scope.source).into_iter();
        let joined = joined.filter(|hop| hop.to_one && !hop.optional);
        let mut roles = scope.find_joined_attributes().into_iter();
        filtered.chain(holds.not_null.iter().copied()).any(|column| self.is_affected(scope, column))
            || joined
                .flat_map(|hop| hop.reference.attributes.clone())
                .any(|attribute| self.target.is_changed(attribute))
            || roles
                .any(|(one, other)| self.target.is_changed(one) || self.target.is_changed(other))
    }

    /// What becomes of an array of the entity written.
    pub(in crate::write_plan) fn attribute_change(
        &self,
        scope: &Scope<'a>,
        column: Column,
    ) -> Option<AttributeChange> {
        self.target.after.get(scope.attribute(column)?.index()).cloned()
    }

    /// Whether the write changes anything of a table.
    pub(in crate::write_plan) fn is_table_affected(&self, scope: &Scope<'a>) -> bool {
        self.is_row_set_affected(scope) || self.has_changed_column(scope, |_| true)
    }

    /// Whether rows of a table move, appear or disappear, or are counted differently.
    pub(in crate::write_plan) fn is_row_set_affected(&self, scope: &Scope<'a>) -> bool {
        let changes = self.table_changes(scope);
        let counts = scope.table.is_counter() && self.has_changed_column(scope, |_| true);
        changes.place || changes.elements || counts
    }

    pub(in crate::write_plan) fn table_changes(&self, scope: &Scope<'a>) -> TableChanges {
        let elements = &scope.table.holds.elements;
        TableChanges {
            place: self.is_key_changed(scope) || self.is_membership_affected(scope),
            elements: elements.iter().any(|column| self.is_affected(scope, *column)),
            regular: self.has_changed_column(scope, |column| column.role == ColumnRole::Regular),
        }
    }

    /// Whether the primary key changes, the elements of arrays apart.
    pub(in crate::write_plan) fn is_key_changed(&self, scope: &Scope<'a>) -> bool {
        self.has_changed_column(scope, |column| {
            column.is_key() && !matches!(column.derivation, Derivation::Element(_))
        })
    }

    fn has_changed_column(&self, scope: &Scope<'a>, which: fn(&PlannedColumn) -> bool) -> bool {
        let mut columns = scope.table.columns.iter().filter(|column| which(column));
        columns.any(|column| self.is_column_affected(scope, column))
    }

    /// Whether the row refers to another row from now on.
    pub(in crate::write_plan) fn is_rejoined(&self, scope: &Scope<'a>) -> bool {
        scope.shape.hops(scope.source).iter().any(|hop| {
            hop.reference.attributes.iter().any(|attribute| self.target.is_changed(*attribute))
        })
    }

    /// Whether the row may leave its group, elements apart.
    pub(in crate::write_plan) fn can_change_group(&self, scope: &Scope<'a>) -> bool {
        let key = scope.table.columns.iter().filter(|column| {
            column.is_key() && !matches!(column.derivation, Derivation::Element(_))
        });
        key.into_iter().any(|column| self.is_column_affected(scope, column))
            || self.is_membership_affected(scope)
    }

    /// Whether rows may newly belong into the table: those cannot be found by reading the table.
    pub(in crate::write_plan) fn can_add_rows(&self, scope: &Scope<'a>) -> bool {
        let holds = &scope.table.holds;
        let filtered = holds.filters.iter().flat_map(|filter| filter.predicate.columns()).copied();
        filtered.chain(holds.not_null.iter().copied()).any(|column| self.is_affected(scope, column))
            || scope
                .row_sources()
                .any(|source| scope.shape.hops(source).iter().any(|hop| self.can_begin_join(hop)))
    }

    /// Whether a reference of the row written may lead nowhere before the write, and somewhere
    /// after it.
    pub(in crate::write_plan) fn can_begin_join(&self, hop: &JoinHop<'a>) -> bool {
        let changes = |attribute: &AttributeId| self.target.is_changed(*attribute);
        hop.to_one
            && !hop.optional
            && hop.reference.nullable
            && hop.reference.attributes.iter().any(changes)
    }

    /// The attributes that the write sets and that rows refer to and follow.
    pub(in crate::write_plan) fn find_followed_attributes(&self) -> Vec<AttributeId> {
        let references = self.context.concept.entities.iter().flat_map(|it| &it.references);
        let followed = references
            .filter(|it| it.target == self.target.entity && it.on_update.is_change())
            .flat_map(|it| it.target_attributes.iter().copied());
        let mut followed: Vec<_> =
            followed.filter(|attribute| self.target.is_changed(*attribute)).collect();
        followed.sort_unstable();
        followed.dedup();
        followed
    }
}
