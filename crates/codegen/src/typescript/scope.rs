//! What expressions can use, by the names that it has in the code.

use super::layout::TypescriptCode;
use super::names::{MEMBERS, TypescriptFunction};
use super::types::TypescriptTypes;
use crate::naming::{NameCase, NameScope};
use crate::program::{DataType, Fetch, Field, Parameter, Record, Repetition};

/// The properties of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct TypescriptRow {
    /// The interface.
    pub(super) name: String,
    /// The columns and their properties.
    pub(super) columns: Vec<(Field, String)>,
    /// The steps of the rows under which they were read.
    pub(super) parents: Vec<usize>,
}

impl TypescriptRow {
    /// Rows of a record.
    pub(super) fn new(name: String, record: &Record) -> Self {
        let mut scope = NameScope::new(NameCase::Camel, MEMBERS);
        let columns = record.fields.iter();
        let columns = columns.map(|field| (field.clone(), scope.add("column", &field.name)));
        Self { name, columns: columns.collect(), parents: Vec::new() }
    }

    /// The rows of a step.
    pub(super) fn from_fetch(name: String, fetch: &Fetch) -> Self {
        let fields = fetch.statement.columns.clone();
        let record = Record { name: name.clone(), fields };
        Self { parents: fetch.parents.clone(), ..Self::new(name, &record) }
    }

    /// The property of a column.
    pub(super) fn property(&self, column: &str) -> Option<&str> {
        self.find(column).map(|(_, property)| property.as_str())
    }

    /// A column and its property.
    pub(super) fn find(&self, column: &str) -> Option<&(Field, String)> {
        self.columns.iter().find(|(field, _)| field.name == column)
    }

    /// Adds a column, unless it is there.
    pub(super) fn add(&mut self, column: &str, ty: DataType) {
        if self.find(column).is_some() {
            return;
        }
        let mut scope = NameScope::new(NameCase::Camel, MEMBERS);
        for (field, _) in &self.columns {
            scope.add("column", &field.name);
        }
        let property = scope.add("column", column);
        self.columns.push((Field { name: column.to_owned(), ty, nullable: true }, property));
    }
}

/// How the columns of the current row are reached.
#[derive(Clone, Debug)]
pub(super) enum TypescriptCurrent {
    /// There is none.
    None,
    /// A variable of an interface.
    Variable(String, TypescriptRow),
    /// The row of the driver, not yet converted.
    Raw(Vec<Field>),
}

/// What expressions can use.
#[derive(Clone, Debug)]
pub(super) struct TypescriptScope<'a> {
    pub(super) types: &'a TypescriptTypes<'a>,
    pub(super) function: &'a TypescriptFunction,
    pub(super) parameters: &'a [Parameter],
    /// The rows of the steps that read.
    pub(super) steps: &'a [TypescriptRow],
    /// The repetitions of the statement.
    pub(super) repetitions: &'a [Repetition],
    pub(super) current: TypescriptCurrent,
}

impl<'a> TypescriptScope<'a> {
    /// The same with another current row.
    pub(super) fn with_current(&self, current: TypescriptCurrent) -> Self {
        Self { current, ..self.clone() }
    }

    /// The same in the repetitions of a statement.
    pub(super) fn with_repetitions(&self, repetitions: &'a [Repetition]) -> Self {
        Self { repetitions, ..self.clone() }
    }

    /// The same with the row of a variable.
    pub(super) fn with_row(&self, variable: &str, row: &TypescriptRow) -> Self {
        self.with_current(TypescriptCurrent::Variable(variable.to_owned(), row.clone()))
    }

    /// A column of the current row.
    pub(super) fn current_column(&self, name: &str) -> TypescriptCode {
        TypescriptCode::text(match &self.current {
            TypescriptCurrent::Variable(variable, row) => match row.property(name) {
                Some(property) => format!("{variable}.{property}"),
                None => "null".to_owned(),
            },
            TypescriptCurrent::Raw(columns) => {
                match columns.iter().find(|field| field.name == name) {
                    Some(field) => self.read_raw(field),
                    None => "null".to_owned(),
                }
            }
            TypescriptCurrent::None => "null".to_owned(),
        })
    }

    /// The value of a column of the driver's row.
    pub(super) fn read_raw(&self, field: &Field) -> String {
        let codec = self.types.codec(&field.ty);
        let name = super::layout::quote(&field.name);
        // A column of the name of a method that every object has is not that method.
        let widening = if MEMBERS.contains(&field.name.as_str()) { " as string" } else { "" };
        format!("{codec}.read(raw[{name}{widening}])")
    }

    /// A parameter.
    pub(super) fn parameter(&self, at: usize) -> String {
        match self.function.parameters.get(at) {
            Some(name) => format!("params.{name}"),
            None => "null".to_owned(),
        }
    }
}
