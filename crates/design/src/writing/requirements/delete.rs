//! Rows that go.

use model::id::AttributeId;
use model::plan::{IfClause, Role};

use super::row::When;
use super::{RowAction, RowWriter, SendOrder};
use crate::writing::count::Count;
use crate::writing::scope::Scope;
use crate::writing::truth::Truth;

impl<'a> RowWriter<'a> {
    /// The row goes.
    pub(super) fn delete(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, When::Before).is_some() && !self.take_prefix(scope) {
            self.take_row(scope);
        }
    }

    /// Deletes the row (or the rows of its elements).
    fn take_row(&mut self, scope: &mut Scope<'a>) {
        let condition = self.main_condition(scope);
        let _ = self.values.key(scope, When::Before, false);
        // To delete a row that is not there does no harm; what was read anyway saves the tombstone.
        let asks = self.values.row_before.is_some() || self.values.impact.needs_belonging(scope);
        let belongs = if asks { self.values.belongs(scope, When::Before) } else { Truth::Always };
        if !scope.table.holds.elements.is_empty()
            && let Some(own) = self.values.own_rows(scope)
        {
            // All elements lie together: one tombstone for them.
            let action = RowAction::Delete { key: own.key, condition: IfClause::Always };
            self.write(scope, belongs, (action, 1.0), SendOrder::Plain);
            return;
        }
        if self.values.enter_elements(scope, When::Before).is_some() {
            self.take(scope, belongs, &condition);
        }
    }

    /// Deletes many rows with one tombstone, where all rows under a part of the table's key are meant.
    fn take_prefix(&mut self, scope: &mut Scope<'a>) -> bool {
        use model::plan::Derivation::Attribute;
        let says = |attribute: AttributeId| {
            self.values.impact.target.known.get(attribute.index()).is_some_and(Option::is_some)
        };
        let makes = scope.shape.makes_rows(scope.source);
        let is_single = !self.values.impact.target.rows_first
            || !self.values.impact.target.conditions.is_empty();
        // A vote is about one row.
        if is_single || !makes || self.values.impact.is_voted_on(scope) {
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
        // With the whole partition the static columns would go, which are not of these rows.
        let has_statics = scope.table.columns.iter().any(|column| column.role == Role::Static);
        let least = partition + usize::from(has_statics);
        let all =
            self.values.impact.target.key.iter().all(|key| prefix.iter().any(|(_, at)| at == key));
        if prefix.len() < least || !all {
            return false;
        }
        let mut key = Vec::new();
        for (column, attribute) in &prefix {
            key.push((column.name.clone(), self.values.before(*attribute)));
        }
        scope.loops.clear();
        scope.count = Count::ONE;
        let action = RowAction::Delete { key, condition: IfClause::Always };
        self.write(scope, Truth::Always, (action, 1.0), SendOrder::Plain);
        true
    }
}
