//! Rows that are deleted.

use model::id::AttributeId;
use model::plan::{ColumnRole, IfClause};

use super::row_values::WriteMoment;
use super::{RowAction, RowWriter, SendOrder};
use crate::write_plan::count::Count;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// Deletes the row from the table.
    pub(super) fn delete(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, WriteMoment::Before).is_some() && !self.delete_prefix(scope) {
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

    /// Deletes many rows with one tombstone, where all rows under a prefix of the table's key are
    /// affected.
    fn delete_prefix(&mut self, scope: &mut Scope<'a>) -> bool {
        use model::plan::Derivation::Attribute;
        let says = |attribute: AttributeId| {
            self.values.impact.target.known.get(attribute.index()).is_some_and(Option::is_some)
        };
        let makes = scope.shape.is_maker(scope.source);
        let is_single = !self.values.impact.target.rows_first
            || !self.values.impact.target.conditions.is_empty();
        // A Paxos round covers a single row.
        if is_single || !makes || self.values.impact.has_conditional_inserts(scope) {
            return false;
        }
        let mut prefix = Vec::new();
        for column in scope.table.columns.iter().filter(|column| column.is_key()) {
            let Attribute(of) = column.derivation else { break };
            let Some(attribute) = scope.shape.attribute_at(of, scope.source) else { break };
            if !says(attribute) {
                break;
            }
            prefix.push((column, attribute));
        }
        let partition = scope.table.partition_key().count();
        // Deleting the whole partition would delete static columns, which belong to another entity.
        let has_statics =
            scope.table.columns.iter().any(|column| column.role == ColumnRole::Static);
        let least = partition + usize::from(has_statics);
        let all =
            self.values.impact.target.key.iter().all(|key| prefix.iter().any(|(_, at)| at == key));
        if prefix.len() < least || !all {
            return false;
        }
        let mut key = Vec::new();
        for (column, attribute) in &prefix {
            key.push((column.name.clone(), self.values.value_before(*attribute)));
        }
        scope.loops.clear();
        scope.count = Count::ONE;
        let action = RowAction::Delete { key, condition: IfClause::Always };
        self.write(scope, GuardExpression::Always, (action, 1.0), SendOrder::Plain);
        true
    }
}
