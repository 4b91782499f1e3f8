//! Static columns that are written with their entity.

use model::plan::{IfClause, PlanRemark};

use super::row_values::{NullableValue, WriteMoment};
use super::{RowAction, RowWriter, SendOrder};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::{is_partition_determined, is_written_with_entity, statics_of};
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// The static columns of a new row of their entity.
    pub(super) fn insert_statics(&mut self, scope: &mut Scope<'a>) {
        if !self.write_statics(scope) {
            let (table, entity) = (scope.table.name.clone(), self.values.impact.name().to_owned());
            self.remark(PlanRemark::NoReferringRows { table, entity });
        }
    }

    /// Writes the static columns of a new row of their entity.
    pub(super) fn write_statics(&mut self, scope: &mut Scope<'a>) -> bool {
        let statics = statics_of(scope);
        if statics.is_empty()
            || !is_written_with_entity(self.values.impact.context, scope.table, scope.source)
        {
            return false;
        }
        let Some(mut values) = self.values.key(scope, WriteMoment::After, true) else {
            return false;
        };
        let key = values.len();
        for column in statics {
            if let NullableValue::Is(value) = self.values.column(scope, column, WriteMoment::After)
            {
                values.push((column.name.clone(), value));
            }
        }
        if values.len() == key {
            // No value is given: there is nothing to write.
            return true;
        }
        let action = RowAction::Insert { values, condition: IfClause::Always };
        self.write(scope, GuardExpression::Always, (action, 0.0), SendOrder::Plain);
        true
    }

    /// Changes the static columns of a row of their entity that changes.
    pub(super) fn change_statics(&mut self, scope: &mut Scope<'a>) {
        let mut assignments = Vec::new();
        let mut tombstones = 0.0;
        for column in statics_of(scope) {
            if self.values.impact.is_column_affected(scope, column) {
                let (assignment, deletes) = self.assignment(scope, column);
                assignments.push(assignment);
                tombstones += deletes;
            }
        }
        if assignments.is_empty() {
            return;
        }
        if !is_partition_determined(scope.shape, scope.table, scope.source) && scope.found.is_none()
        {
            self.values.find_rows(scope);
        }
        // Rows that were found elsewhere may be in no partition of the table.
        let belongs = if scope.found.is_some() {
            self.values.membership(scope, WriteMoment::Before)
        } else {
            GuardExpression::Always
        };
        let Some(key) = self.values.key(scope, WriteMoment::Before, true) else { return };
        let condition = self.main_condition(scope);
        let action = RowAction::Update { key, assignments, condition };
        self.write_if(scope, belongs, (action, tombstones));
    }

    /// Deletes the static columns of an entity's row that is deleted.
    pub(super) fn delete_statics(&mut self, scope: &mut Scope<'a>) {
        if statics_of(scope).is_empty()
            || !is_partition_determined(scope.shape, scope.table, scope.source)
        {
            return;
        }
        let Some(key) = self.values.key(scope, WriteMoment::Before, true) else { return };
        let action = RowAction::Delete { key, condition: IfClause::Always };
        self.write(scope, GuardExpression::Always, (action, 1.0), SendOrder::Plain);
    }
}
