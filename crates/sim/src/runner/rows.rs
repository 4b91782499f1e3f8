//! The rows of the main step, with their columns by name.

use std::collections::BTreeMap;

use model::concept::Concept;
use model::id::StepId;
use model::plan::ReadPlan;
use model::workload::{Column, OutputValue, Predicate, Read};

use super::frame::ExecutionFrame;
use super::operand::OperandScope;
use crate::value::TypedValue;

/// A row of the main step, and what it was read under.
#[derive(Clone, Debug)]
pub(super) struct PlanRow {
    pub(super) frame: ExecutionFrame,
    pub(super) columns: BTreeMap<String, TypedValue>,
}

impl PlanRow {
    /// The row of a step: its columns, and those of the rows under which it was read.
    pub(super) fn new(step: StepId, frame: ExecutionFrame) -> Self {
        let mut columns = BTreeMap::new();
        let own = frame.rows.get(&step);
        let others = frame.rows.iter().filter(|(other, _)| **other != step).map(|(_, row)| row);
        for row in own.into_iter().chain(others) {
            for (name, value) in row.iter() {
                columns.entry(name.to_owned()).or_insert(value);
            }
        }
        Self { frame, columns }
    }

    /// The value of a column of the read.
    pub(super) fn get(&self, names: ColumnNames<'_>, column: Column) -> TypedValue {
        names
            .find(column)
            .and_then(|name| self.columns.get(name))
            .cloned()
            .unwrap_or_else(TypedValue::null)
    }

    /// The value of that name.
    pub(super) fn column(&self, name: &str) -> TypedValue {
        self.columns.get(name).cloned().unwrap_or_else(TypedValue::null)
    }
}

/// The names of the columns of a read in the rows.
#[derive(Clone, Copy)]
pub(super) struct ColumnNames<'p> {
    pub(super) plan: &'p ReadPlan,
    pub(super) read: &'p Read,
}

impl<'p> ColumnNames<'p> {
    /// The name of a column: from the plan, else that of the output that shows it.
    pub(super) fn find(self, column: Column) -> Option<&'p str> {
        let planned = self.plan.columns.iter().find(|(of, _)| *of == column);
        planned.map(|(_, name)| name.as_str()).or_else(|| {
            let shows = |value: OutputValue| value == OutputValue::Column(column);
            let output = self.read.outputs.iter().find(|output| shows(output.value));
            output.map(|output| output.name.as_str())
        })
    }
}

/// Whether a row meets a condition with the semantics of SQL.
pub(super) fn matches_predicate(
    test: &Predicate,
    scope: OperandScope<'_>,
    value: &dyn Fn(Column) -> TypedValue,
) -> bool {
    match test {
        Predicate::Compare { column, comparison, value: with } => {
            let mine = value(*column);
            mine.matches_comparison(*comparison, &scope.evaluate_value(with, Some(&mine.ty)))
        }
        Predicate::In { column, values } => {
            let mine = value(*column);
            let equal = |with| {
                let with = scope.evaluate_value(with, Some(&mine.ty));
                !mine.is_null() && !with.is_null() && mine.compare(&with).is_eq()
            };
            values.iter().any(equal)
        }
        Predicate::AnyOf { column, parameter } => {
            let mine = value(*column);
            let elements = scope.parameter(*parameter).elements();
            !mine.is_null() && elements.iter().any(|one| mine.compare(one).is_eq())
        }
        Predicate::Holds { column, value: with } => {
            let array = value(*column);
            let wanted = scope.evaluate_value(with, crate::value::element_type(&array.ty));
            !wanted.is_null() && array.elements().iter().any(|one| one.compare(&wanted).is_eq())
        }
        Predicate::Row { columns, comparison, values } => {
            matches_row(columns, *comparison, values, scope, value)
        }
        Predicate::Prefix { column, value: with } => {
            let mine = value(*column);
            let with = scope.evaluate_value(with, Some(&mine.ty));
            mine.bytes.zip(with.bytes).is_some_and(|(mine, with)| mine.starts_with(&with))
        }
        Predicate::NotNull { column } => !value(*column).is_null(),
        Predicate::Null { column } => value(*column).is_null(),
    }
}

/// `(a, b) < (?, ?)`: the first columns that differ decide; after a null the result is unknown.
fn matches_row(
    columns: &[Column],
    comparison: model::workload::Comparison,
    values: &[model::workload::Value],
    scope: OperandScope<'_>,
    value: &dyn Fn(Column) -> TypedValue,
) -> bool {
    for (column, with) in columns.iter().zip(values) {
        let mine = value(*column);
        let with = scope.evaluate_value(with, Some(&mine.ty));
        if mine.is_null() || with.is_null() {
            return false;
        }
        let order = mine.compare(&with);
        if order.is_ne() {
            return crate::value::matches_order(order, comparison);
        }
    }
    crate::value::matches_order(std::cmp::Ordering::Equal, comparison)
}

/// Whether a row meets a condition on constants.
pub(crate) fn matches_constants(
    concept: &Concept,
    test: &Predicate,
    value: &dyn Fn(Column) -> TypedValue,
) -> bool {
    matches_predicate(test, OperandScope { concept, parameters: &[], values: &[] }, value)
}
