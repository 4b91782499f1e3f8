//! What a write changes in a table.

use model::id::AttributeId;
use model::plan::{Derivation, PlannedColumn, Role};
use model::workload::Column;

use super::target::After;
use super::{Impact, made_from};
use crate::writing::scope::Scope;
use crate::writing::shape::Hop;

/// What a write changes in a table.
#[derive(Clone, Copy)]
pub(in crate::writing) struct TableChanges {
    /// The row's place in the table, whether it belongs there, or what it is joined with.
    pub(in crate::writing) place: bool,
    /// Which elements there are.
    pub(in crate::writing) elements: bool,
    /// Columns outside the key.
    pub(in crate::writing) regular: bool,
}

impl<'a> Impact<'a> {
    /// Whether the write changes what a column of the table's sources is: itself, or the row that it is joined from.
    pub(in crate::writing) fn affects(&self, scope: &Scope<'a>, column: Column) -> bool {
        if let Some(attribute) = scope.attribute(column) {
            return self.target.changes(attribute);
        }
        let routes = scope.shape.routes(scope.source);
        let mut at = column.source;
        for _ in 0..routes.len() {
            let Some(hop) = routes.get(at.index()).copied().flatten() else { return false };
            let refers = |attribute: &AttributeId| self.target.changes(*attribute);
            if scope.is_written(hop.from) && hop.to_one {
                return hop.reference.attributes.iter().any(refers);
            }
            at = hop.from;
        }
        false
    }

    /// Whether the write changes the values of a column.
    pub(in crate::writing) fn affects_column(
        &self,
        scope: &Scope<'a>,
        planned: &PlannedColumn,
    ) -> bool {
        made_from(planned).into_iter().any(|column| self.affects(scope, column))
    }

    /// Whether the write may change that a row belongs into the table, or what it is joined with.
    pub(in crate::writing) fn affects_belonging(&self, scope: &Scope<'a>) -> bool {
        let holds = &scope.table.holds;
        let filtered = holds.filters.iter().flat_map(|filter| filter.test.columns()).copied();
        let joined = scope.shape.hops(scope.source).into_iter().filter(|hop| hop.to_one);
        filtered.chain(holds.not_null.iter().copied()).any(|column| self.affects(scope, column))
            || joined
                .flat_map(|hop| hop.reference.attributes.clone())
                .any(|attribute| self.target.changes(attribute))
    }

    /// What becomes of an array of the entity written.
    pub(in crate::writing) fn becomes(&self, scope: &Scope<'a>, column: Column) -> Option<After> {
        self.target.after.get(scope.attribute(column)?.index()).cloned()
    }

    /// Whether the write changes anything of a table.
    pub(in crate::writing) fn touches(&self, scope: &Scope<'a>) -> bool {
        self.moves(scope) || self.changes_any(scope, |_| true)
    }

    /// Whether rows of a table move, come or go, or are counted otherwise.
    pub(in crate::writing) fn moves(&self, scope: &Scope<'a>) -> bool {
        let changes = self.changes(scope);
        let counts = scope.table.is_counter() && self.changes_any(scope, |_| true);
        changes.place || changes.elements || counts
    }

    pub(in crate::writing) fn changes(&self, scope: &Scope<'a>) -> TableChanges {
        let elements = &scope.table.holds.elements;
        TableChanges {
            place: self.changes_key(scope) || self.affects_belonging(scope),
            elements: elements.iter().any(|column| self.affects(scope, *column)),
            regular: self.changes_any(scope, |column| column.role == Role::Regular),
        }
    }

    /// Whether the primary key changes, the elements of arrays apart.
    pub(in crate::writing) fn changes_key(&self, scope: &Scope<'a>) -> bool {
        self.changes_any(scope, |column| {
            column.is_key() && !matches!(column.derivation, Derivation::Element(_))
        })
    }

    fn changes_any(&self, scope: &Scope<'a>, which: fn(&PlannedColumn) -> bool) -> bool {
        let mut columns = scope.table.columns.iter().filter(|column| which(column));
        columns.any(|column| self.affects_column(scope, column))
    }

    /// Whether the row refers to another row from now on.
    pub(in crate::writing) fn rejoins(&self, scope: &Scope<'a>) -> bool {
        scope.shape.hops(scope.source).iter().any(|hop| {
            hop.reference.attributes.iter().any(|attribute| self.target.changes(*attribute))
        })
    }

    /// Whether the row may leave its group, elements apart.
    pub(in crate::writing) fn moves_groups(&self, scope: &Scope<'a>) -> bool {
        let key = scope.table.columns.iter().filter(|column| {
            column.is_key() && !matches!(column.derivation, Derivation::Element(_))
        });
        key.into_iter().any(|column| self.affects_column(scope, column))
            || self.affects_belonging(scope)
    }

    /// Whether rows may belong into the table from now on that did not: they are not found where the others are.
    pub(in crate::writing) fn rows_may_come(&self, scope: &Scope<'a>) -> bool {
        let holds = &scope.table.holds;
        let filtered = holds.filters.iter().flat_map(|filter| filter.test.columns()).copied();
        filtered.chain(holds.not_null.iter().copied()).any(|column| self.affects(scope, column))
            || scope
                .written()
                .any(|source| scope.shape.hops(source).iter().any(|hop| self.may_begin(hop)))
    }

    /// Whether a reference of the row written may lead nowhere before the write, and somewhere after it.
    pub(in crate::writing) fn may_begin(&self, hop: &Hop<'a>) -> bool {
        let changes = |attribute: &AttributeId| self.target.changes(*attribute);
        hop.to_one && hop.reference.nullable && hop.reference.attributes.iter().any(changes)
    }
}
