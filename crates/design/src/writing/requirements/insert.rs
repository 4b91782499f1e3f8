//! Rows that are put into a table, changed there, and taken away.

use cql::types::Type;
use model::id::Numbered;
use model::plan::{
    AssignmentOperator, ColumnAssignment, Derivation, IfClause, PlannedColumn, Remark, Role,
};
use model::workload::WriteKind;

use super::row::{Term, When};
use super::{RowAction, RowWriter, SendOrder};
use crate::statement::{self, Brackets, Pair};
use crate::writing::impact::target::After;
use crate::writing::scope::Scope;
use crate::writing::truth::Truth;

impl<'a> RowWriter<'a> {
    /// A row that comes.
    pub(super) fn insert(&mut self, scope: &mut Scope<'a>, condition: &IfClause) {
        if self.values.reach(scope, When::After).is_none() {
            return;
        }
        let belongs = self.values.belongs(scope, When::After);
        if self.values.enter_elements(scope, When::After).is_some() {
            self.put(scope, &belongs, condition);
        }
    }

    /// Puts the row into the table as it is after the write.
    pub(super) fn put(&mut self, scope: &mut Scope<'a>, belongs: &Truth, condition: &IfClause) {
        if *belongs == Truth::Never {
            return;
        }
        let table = scope.table;
        let is_update = matches!(self.values.impact.write.kind, WriteKind::Update(..));
        let mut values: Vec<Pair> = Vec::new();
        let mut tombstones = 0.0;
        for column in &table.columns {
            if column.role == Role::Static && self.values.impact.has_keeper(scope, column) {
                continue;
            }
            match self.values.column(scope, column, When::After) {
                // A collection written whole has a marker before it that deletes what was there; reads do not count it.
                Term::Is(value) => values.push((column.name.clone(), value)),
                Term::Null if column.is_key() => return,
                // A row that may be there already must lose what it had.
                Term::Null if is_update && self.values.impact.affects_column(scope, column) => {
                    tombstones += 1.0;
                    values.push((column.name.clone(), Term::Null.operand()));
                }
                Term::Null => {}
            }
        }
        let action = RowAction::Insert { values, condition: condition.clone() };
        if !self.write_if(scope, belongs.clone(), (action, tombstones)) {
            return;
        }
        self.patch(scope, belongs);
        self.remember(scope, belongs);
    }

    /// Appends to or removes from the arrays of a row just put.
    fn patch(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let table = scope.table;
        let regular = table.columns.iter().filter(|column| !column.is_key());
        for column in regular {
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(after) = self.values.impact.becomes(scope, of) else { continue };
            let Some(assignment) = element_assignment(column, &after) else { continue };
            let of_partition = column.role == Role::Static;
            let Some(key) = self.values.key(scope, When::After, of_partition) else { continue };
            // An element of a list is looked for when the statement runs, so the row must be there by then.
            let removes_from_list =
                matches!(after, After::Remove(_)) && matches!(column.ty, Type::List(..));
            let order = if removes_from_list { SendOrder::Later } else { SendOrder::Plain };
            let assignments = vec![assignment];
            let action = RowAction::Update { key, assignments, condition: IfClause::Always };
            self.write(scope, belongs.clone(), (action, 0.0), order);
            self.note_element(&column.ty, &after);
        }
    }

    /// Changes the columns outside the key; the row stays where it is.
    pub(super) fn change(&mut self, scope: &mut Scope<'a>, belongs: &Truth, condition: &IfClause) {
        let table = scope.table;
        let mut assignments = Vec::new();
        let mut tombstones = 0.0;
        let regular = |column: &&PlannedColumn| column.role == Role::Regular;
        for column in table.columns.iter().filter(regular) {
            if self.values.impact.affects_column(scope, column) {
                let (assignment, deletes) = self.assignment(scope, column);
                assignments.push(assignment);
                tombstones += deletes;
            }
        }
        if assignments.is_empty() {
            return;
        }
        let Some(key) = self.values.key(scope, When::Before, false) else { return };
        let joins_vote = *condition == IfClause::Always && self.values.impact.is_voted_on(scope);
        let condition = if joins_vote { IfClause::Exists } else { condition.clone() };
        let action = RowAction::Update { key, assignments, condition };
        if joins_vote {
            self.write_with_vote(scope, belongs.clone(), (action, tombstones));
        } else {
            self.write_if(scope, belongs.clone(), (action, tombstones));
        }
    }

    /// What an UPDATE does with a column, and the tombstones of it.
    pub(super) fn assignment(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
    ) -> (ColumnAssignment, f64) {
        if let Derivation::Attribute(of) = column.derivation
            && let Some(after) = self.values.impact.becomes(scope, of)
            && let Some(assignment) = element_assignment(column, &after)
        {
            self.note_element(&column.ty, &after);
            let tombstones = f64::from(u8::from(matches!(after, After::Remove(_))));
            return (assignment, tombstones);
        }
        let value = self.values.column(scope, column, When::After);
        let deletes = f64::from(u8::from(value == Term::Null));
        (ColumnAssignment::new(&column.name, AssignmentOperator::Set, value.operand()), deletes)
    }

    /// Says what appending to or removing from a collection entails.
    fn note_element(&mut self, ty: &Type, after: &After) {
        if matches!((ty, after), (Type::List(..), After::Append(_))) {
            self.idempotent = false;
            self.remark(Remark::ListAppend);
        }
    }

    /// Takes the row away as it was before the write.
    pub(super) fn take(&mut self, scope: &mut Scope<'a>, gone: Truth, condition: &IfClause) {
        if gone == Truth::Never {
            return;
        }
        let Some(key) = self.values.key(scope, When::Before, false) else { return };
        let joins_vote = *condition == IfClause::Always && self.values.impact.is_voted_on(scope);
        let condition = if joins_vote { IfClause::Exists } else { condition.clone() };
        let action = RowAction::Delete { key, condition };
        if joins_vote {
            self.write_with_vote(scope, gone, (action, 1.0));
        } else {
            self.write_if(scope, gone, (action, 1.0));
        }
    }

    /// Tells the table that remembers the oldest bucket of the row just put.
    fn remember(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let of = scope.at;
        let tables = self.values.impact.tables.numbered();
        let memory = tables.filter(|(_, table)| table.remembers == Some(of));
        for (at, table) in memory {
            let Some((bucket, _, _)) = scope.table.bucket() else { continue };
            let Term::Is(oldest) = self.values.column(scope, bucket, When::After) else { continue };
            let mut values = Vec::new();
            for column in &table.columns {
                let of = scope.table.column(&column.name).filter(|_| column.is_key());
                let value = match of {
                    Some(of) => self.values.column(scope, of, When::After),
                    None if column.is_key() => self.values.column(scope, column, When::After),
                    None => Term::Is(oldest.clone()),
                };
                if let Term::Is(value) = value {
                    values.push((column.name.clone(), value));
                }
            }
            let action = RowAction::RememberOldest { of: scope.table, values, oldest };
            let remembering = Scope { at, table, ..scope.clone() };
            self.write(&remembering, belongs.clone(), (action, 0.0), SendOrder::Plain);
        }
    }
}

/// How a collection follows an array that gains or loses an element.
fn element_assignment(column: &PlannedColumn, after: &After) -> Option<ColumnAssignment> {
    let brackets = match column.ty {
        Type::List(..) => Brackets::List,
        _ => Brackets::Set,
    };
    let (operator, element) = match after {
        After::Append(element) => (AssignmentOperator::Add, element),
        After::Remove(element) => (AssignmentOperator::Subtract, element),
        _ => return None,
    };
    let is_changed_in_part = column.ty.is_collection() && column.ty.is_multi_cell();
    let value = statement::collection_of(element, brackets);
    is_changed_in_part.then(|| ColumnAssignment::new(&column.name, operator, value))
}
