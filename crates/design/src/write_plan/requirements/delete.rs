//! Rows that are deleted.

use model::plan::IfClause;

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
        // Deleting a row that does not exist is harmless; a guard on what is read anyway saves the
        // tombstone.
        let is_guarded =
            self.values.row_before.is_some() || self.values.impact.can_key_be_null(scope);
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
