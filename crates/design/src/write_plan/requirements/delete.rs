//! Rows that are deleted.

use model::plan::{Derivation, IfClause, PlannedColumn};
use model::workload::Column;

use super::row_values::WriteMoment;
use super::{RowAction, RowWriter, SendOrder};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// Deletes the row from the table.
    pub(super) fn delete(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, WriteMoment::Before).is_some() && !self.delete_range(scope) {
            self.delete_row(scope);
        }
    }

    /// Deletes the row (or the rows of its elements).
    fn delete_row(&mut self, scope: &mut Scope<'a>) {
        let condition = self.main_condition(scope);
        let _ = self.values.key(scope, WriteMoment::Before, false);
        // Deleting a row that does not exist is harmless, unless its key may be that of another row;
        // a guard on what is read anyway saves the tombstone.
        let is_guarded = self.values.row_before.is_some()
            || self.values.impact.can_key_be_null(scope)
            || has_common_key(scope);
        let belongs = if is_guarded {
            self.values.membership(scope, WriteMoment::Before)
        } else {
            GuardExpression::Always
        };
        if !scope.table.holds.elements.is_empty()
            && let Some(own) = self.values.own_rows(scope)
        {
            // All elements are in one range: one tombstone covers them.
            let action = RowAction::Delete { key: own.key, condition: IfClause::Always };
            self.write(scope, belongs, (action, 1.0), SendOrder::Plain);
            return;
        }
        if self.values.enter_elements(scope, WriteMoment::Before).is_some() {
            self.remove_row(scope, belongs, &condition);
        }
    }
}

/// Whether rows that do not belong into the table would have the keys of others in it: only some
/// rows belong there, and its key does not tell them apart.
fn has_common_key(scope: &Scope<'_>) -> bool {
    let attribute = |column: &PlannedColumn| match column.derivation {
        Derivation::Attribute(of) => scope.shape.attribute_at(of, scope.source),
        _ => None,
    };
    let key = scope.table.columns.iter().filter(|column| column.is_key());
    let fixed: Vec<_> = key.filter_map(attribute).collect();
    let held = |column: Column| fixed.contains(&column.attribute);
    !scope.table.holds.filters.is_empty() && !scope.shape.has_key(scope.source, held)
}
