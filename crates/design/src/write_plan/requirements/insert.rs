//! Rows that are inserted into a table, updated in place, and removed.

use cql::types::Type;
use model::id::IdList;
use model::plan::{
    AssignmentOperator, ColumnAssignment, ColumnRole, Derivation, IfClause, Operand, PlanRemark,
    PlannedColumn,
};
use model::workload::WriteKind;

use super::row_values::{NullableValue, WriteMoment};
use super::{RowAction, RowWriter, SendOrder, WalkEnd};
use crate::statement::{self, Brackets, ColumnValue};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::target::AttributeChange;
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// Inserts a new row.
    pub(super) fn insert(&mut self, scope: &mut Scope<'a>, condition: &IfClause) {
        if self.values.reach(scope, WriteMoment::After).is_none() {
            return;
        }
        let belongs = self.values.membership(scope, WriteMoment::After);
        if self.values.enter_elements(scope, WriteMoment::After).is_some() {
            self.insert_row(scope, &belongs, condition);
        }
    }

    /// Inserts the row into the table as it is after the write.
    pub(super) fn insert_row(
        &mut self,
        scope: &mut Scope<'a>,
        belongs: &GuardExpression,
        condition: &IfClause,
    ) {
        if *belongs == GuardExpression::Never {
            return;
        }
        let table = scope.table;
        let is_update = matches!(self.values.impact.write.kind, WriteKind::Update(..));
        let mut values: Vec<ColumnValue> = Vec::new();
        let mut tombstones = 0.0;
        for column in &table.columns {
            if column.role == ColumnRole::Static && self.values.impact.has_own_writer(scope, column)
            {
                continue;
            }
            match self.values.column(scope, column, WriteMoment::After) {
                // Writing a whole collection also writes a tombstone that deletes the old one;
                // reads skip it cheaply.
                NullableValue::Is(value) => values.push((column.name.clone(), value)),
                NullableValue::Null if column.is_key() => return,
                // A row that may exist already must lose the old value.
                NullableValue::Null
                    if is_update && self.values.impact.is_column_affected(scope, column) =>
                {
                    tombstones += 1.0;
                    values.push((column.name.clone(), NullableValue::Null.operand()));
                }
                NullableValue::Null => {}
            }
        }
        let action = RowAction::Insert { values, condition: condition.clone() };
        if !self.write_if(scope, belongs.clone(), (action, tombstones)) {
            return;
        }
        self.patch(scope, belongs);
        self.write_oldest_bucket(scope, belongs);
    }

    /// Appends to or removes from the arrays of a row just inserted.
    fn patch(&mut self, scope: &mut Scope<'a>, belongs: &GuardExpression) {
        let table = scope.table;
        let regular = table.columns.iter().filter(|column| !column.is_key());
        for column in regular {
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(after) = self.values.impact.attribute_change(scope, of) else { continue };
            let Some(assignment) = element_assignment(column, &after) else { continue };
            let of_partition = column.role == ColumnRole::Static;
            let Some(key) = self.values.key(scope, WriteMoment::After, of_partition) else {
                continue;
            };
            // Removing an element of a list reads the list when the statement runs, so the row must
            // exist by then.
            let removes_from_list =
                matches!(after, AttributeChange::Remove(_)) && matches!(column.ty, Type::List(..));
            let order = if removes_from_list { SendOrder::Later } else { SendOrder::Plain };
            let assignments = vec![assignment];
            let action = RowAction::Update { key, assignments, condition: IfClause::Always };
            self.write(scope, belongs.clone(), (action, 0.0), order);
            self.note_element(&column.ty, &after);
        }
    }

    /// Changes the columns outside the key; the row stays where it is.
    pub(super) fn update_row(
        &mut self,
        scope: &mut Scope<'a>,
        belongs: &GuardExpression,
        condition: &IfClause,
    ) {
        let table = scope.table;
        let mut assignments = Vec::new();
        let mut tombstones = 0.0;
        let regular = |column: &&PlannedColumn| column.role == ColumnRole::Regular;
        for column in table.columns.iter().filter(regular) {
            if self.values.impact.is_column_affected(scope, column) {
                let (assignment, deletes) = self.assignment(scope, column);
                assignments.push(assignment);
                tombstones += deletes;
            }
        }
        if assignments.is_empty() {
            return;
        }
        let Some(key) = self.values.key(scope, WriteMoment::Before, false) else { return };
        let joins_vote =
            *condition == IfClause::Always && self.values.impact.has_conditional_inserts(scope);
        let condition = if joins_vote { IfClause::Exists } else { condition.clone() };
        let action = RowAction::Update { key, assignments, condition };
        if joins_vote {
            self.write_with_vote(scope, belongs.clone(), (action, tombstones));
        } else {
            self.write_if(scope, belongs.clone(), (action, tombstones));
        }
    }

    /// What an UPDATE does with a column, and the tombstones it writes.
    pub(super) fn assignment(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
    ) -> (ColumnAssignment, f64) {
        if let Derivation::Attribute(of) = column.derivation
            && let Some(after) = self.values.impact.attribute_change(scope, of)
            && let Some(assignment) = element_assignment(column, &after)
        {
            self.note_element(&column.ty, &after);
            let tombstones = f64::from(u8::from(matches!(after, AttributeChange::Remove(_))));
            return (assignment, tombstones);
        }
        // Columns that keep their value are left out: writing them again could undo another write.
        if let Derivation::Attribute(of) = column.derivation
            && let Some(AttributeChange::ToUnlessNull(value)) =
                self.values.impact.attribute_change(scope, of)
        {
            let value = Operand::UnlessNull(Box::new(value));
            return (ColumnAssignment::new(&column.name, AssignmentOperator::Set, value), 0.0);
        }
        let value = self.values.column(scope, column, WriteMoment::After);
        let deletes = f64::from(u8::from(value == NullableValue::Null));
        (ColumnAssignment::new(&column.name, AssignmentOperator::Set, value.operand()), deletes)
    }

    /// Adds remarks on appending to or removing from a collection.
    fn note_element(&mut self, ty: &Type, after: &AttributeChange) {
        if matches!((ty, after), (Type::List(..), AttributeChange::Append(_))) {
            self.idempotent = false;
            self.remark(PlanRemark::ListAppend);
        }
    }

    /// Removes the row as it was before the write.
    pub(super) fn remove_row(
        &mut self,
        scope: &mut Scope<'a>,
        gone: GuardExpression,
        condition: &IfClause,
    ) {
        if gone == GuardExpression::Never {
            return;
        }
        let Some(key) = self.values.key(scope, WriteMoment::Before, false) else { return };
        let joins_vote =
            *condition == IfClause::Always && self.values.impact.has_conditional_inserts(scope);
        let condition = if joins_vote { IfClause::Exists } else { condition.clone() };
        let action = RowAction::Delete { key, condition };
        if joins_vote {
            self.write_with_vote(scope, gone, (action, 1.0));
        } else {
            self.write_if(scope, gone, (action, 1.0));
        }
    }

    /// Updates the table that remembers the oldest bucket (and the newest, where it does), for the
    /// row just inserted.
    fn write_oldest_bucket(&mut self, scope: &mut Scope<'a>, belongs: &GuardExpression) {
        let of = scope.at;
        let tables = self.values.impact.tables.enumerate_ids();
        let memory = tables.filter(|(_, table)| table.remembers == Some(of));
        for (at, table) in memory {
            let Some((bucket, _, _)) = scope.table.bucket() else { continue };
            let NullableValue::Is(bucket) = self.values.column(scope, bucket, WriteMoment::After)
            else {
                continue;
            };
            let mut key = Vec::new();
            for column in table.columns.iter().filter(|column| column.is_key()) {
                let of = scope.table.column(&column.name).unwrap_or(column);
                let value = self.values.column(scope, of, WriteMoment::After);
                if let NullableValue::Is(value) = value {
                    key.push((column.name.clone(), value));
                }
            }
            // Each end has its own timestamp, and so its own statement.
            for column in table.columns.iter().filter(|column| !column.is_key()) {
                let end = match column.derivation {
                    Derivation::Newest(_) => WalkEnd::Newest,
                    _ => WalkEnd::Oldest,
                };
                let mut values = key.clone();
                values.push((column.name.clone(), bucket.clone()));
                let (of, bucket) = (scope.table, bucket.clone());
                let action = RowAction::RememberEnd { of, values, bucket, end };
                let remembering = Scope { at, table, ..scope.clone() };
                self.write(&remembering, belongs.clone(), (action, 0.0), SendOrder::Plain);
            }
        }
    }
}

/// How a collection follows an array that gains or loses an element.
fn element_assignment(column: &PlannedColumn, after: &AttributeChange) -> Option<ColumnAssignment> {
    let brackets = match column.ty {
        Type::List(..) => Brackets::List,
        _ => Brackets::Set,
    };
    let (operator, element) = match after {
        AttributeChange::Append(element) => (AssignmentOperator::Add, element),
        AttributeChange::Remove(element) => (AssignmentOperator::Subtract, element),
        _ => return None,
    };
    let is_changed_in_part = column.ty.is_collection() && column.ty.is_multi_cell();
    let value = statement::collection_of(element, brackets);
    is_changed_in_part.then(|| ColumnAssignment::new(&column.name, operator, value))
}
