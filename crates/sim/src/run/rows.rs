//! The rows that the client goes on with: their columns by name.

use std::collections::BTreeMap;

use model::concept::Concept;
use model::id::StepId;
use model::plan::ReadPlan;
use model::workload::{Column, OutputValue, Read, Test};

use super::frame::Frame;
use super::operand::Scope;
use crate::value::Typed;

/// A row of the main step, and what it was read under.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) frame: Frame,
    pub(super) columns: BTreeMap<String, Typed>,
}

impl Item {
    /// The row of a step: its columns, and those of the rows under which it was read.
    pub(super) fn new(step: StepId, frame: Frame) -> Self {
        let mut columns = BTreeMap::new();
        let own = frame.rows.get(&step);
        let others = frame.rows.iter().filter(|(other, _)| **other != step).map(|(_, row)| row);
        for row in own.into_iter().chain(others) {
            let mut names: Vec<&str> = Vec::new();
            for (name, value) in row.iter() {
                let before = names.iter().filter(|other| **other == name).count();
                names.push(name);
                columns.entry(repeated(name, before)).or_insert(value);
            }
        }
        Self { frame, columns }
    }

    /// The value of a column of the read.
    pub(super) fn get(&self, names: Names<'_>, column: Column) -> Typed {
        names
            .of(column)
            .and_then(|name| self.columns.get(name))
            .cloned()
            .unwrap_or_else(Typed::null)
    }

    /// The value of that name.
    pub(super) fn named(&self, name: &str) -> Typed {
        self.columns.get(name).cloned().unwrap_or_else(Typed::null)
    }
}

/// The name under which a column is kept that has so many of the same name before it: a read may have several outputs of one
/// name, which come in their order.
pub(super) fn repeated(name: &str, before: usize) -> String {
    if before == 0 { name.to_owned() } else { format!("{name} {before}") }
}

/// The names of the columns of a read in the rows.
#[derive(Clone, Copy)]
pub(super) struct Names<'p> {
    pub(super) plan: &'p ReadPlan,
    pub(super) read: &'p Read,
}

impl<'p> Names<'p> {
    /// The name of a column: as the plan says, else that of the output that shows it.
    pub(super) fn of(self, column: Column) -> Option<&'p str> {
        let planned = self.plan.columns.iter().find(|(of, _)| *of == column);
        planned.map(|(_, name)| name.as_str()).or_else(|| {
            let shows = |value: OutputValue| value == OutputValue::Column(column);
            let output = self.read.outputs.iter().find(|output| shows(output.value));
            output.map(|output| output.name.as_str())
        })
    }
}

/// Whether a row meets a condition, as SQL means it.
pub(super) fn meets(test: &Test, scope: Scope<'_>, value: &dyn Fn(Column) -> Typed) -> bool {
    match test {
        Test::Compare { column, comparison, value: with } => {
            let mine = value(*column);
            mine.compares(*comparison, &scope.given(with, Some(&mine.ty)))
        }
        Test::In { column, values } => {
            let mine = value(*column);
            let equal = |with| {
                let with = scope.given(with, Some(&mine.ty));
                !mine.is_null() && !with.is_null() && mine.order(&with).is_eq()
            };
            values.iter().any(equal)
        }
        Test::AnyOf { column, parameter } => {
            let mine = value(*column);
            let elements = scope.parameter(*parameter).elements();
            !mine.is_null() && elements.iter().any(|one| mine.order(one).is_eq())
        }
        Test::Holds { column, value: with } => {
            let array = value(*column);
            let wanted = scope.given(with, crate::value::element_type(&array.ty));
            !wanted.is_null() && array.elements().iter().any(|one| one.order(&wanted).is_eq())
        }
        Test::Row { columns, comparison, values } => {
            row_compares(columns, *comparison, values, scope, value)
        }
        Test::Prefix { column, value: with } => {
            let mine = value(*column);
            let with = scope.given(with, Some(&mine.ty));
            mine.bytes.zip(with.bytes).is_some_and(|(mine, with)| mine.starts_with(&with))
        }
        Test::NotNull { column } => !value(*column).is_null(),
    }
}

/// `(a, b) < (?, ?)`: the first columns that differ decide; a null before that decides nothing.
fn row_compares(
    columns: &[Column],
    comparison: model::workload::Comparison,
    values: &[model::workload::Value],
    scope: Scope<'_>,
    value: &dyn Fn(Column) -> Typed,
) -> bool {
    for (column, with) in columns.iter().zip(values) {
        let mine = value(*column);
        let with = scope.given(with, Some(&mine.ty));
        if mine.is_null() || with.is_null() {
            return false;
        }
        let order = mine.order(&with);
        if order.is_ne() {
            return crate::value::meets(order, comparison);
        }
    }
    crate::value::meets(std::cmp::Ordering::Equal, comparison)
}

/// Whether a row meets a condition on constants.
pub(crate) fn constant_test(
    concept: &Concept,
    test: &Test,
    value: &dyn Fn(Column) -> Typed,
) -> bool {
    meets(test, Scope { concept, parameters: &[], values: &[] }, value)
}
