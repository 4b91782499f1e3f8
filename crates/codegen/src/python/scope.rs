//! What the expressions of a statement can use, and how Python names it.

use crate::program::{
    DataType, ExpressionKind, Fetch, Parameter, Record, Repetition, RowReference,
};

use super::code::PythonExpression as Code;
use super::names::PythonNames;
use super::types;

/// Where the values of expressions come from.
#[derive(Clone, Copy)]
pub(super) struct PythonScope<'a> {
    pub(super) names: &'a PythonNames,
    pub(super) parameters: &'a [Parameter],
    pub(super) parameter_names: &'a [String],
    /// The steps that read, by their position; `None` for others.
    pub(super) fetches: &'a [Option<&'a Fetch>],
    /// The repetitions of the statement.
    pub(super) repetitions: &'a [Repetition],
    /// The columns of the current row.
    pub(super) row: Option<&'a Record>,
    /// The current row is as the driver returned it.
    pub(super) is_raw: bool,
}

impl<'a> PythonScope<'a> {
    /// The same with the repetitions of a statement.
    pub(super) fn with_repetitions(self, repetitions: &'a [Repetition]) -> Self {
        Self { repetitions, ..self }
    }

    /// The same with a current row.
    pub(super) fn with_row(self, row: &'a Record) -> Self {
        Self { row: Some(row), ..self }
    }

    /// The name of a parameter.
    pub(super) fn parameter(&self, at: usize) -> Code {
        Code::atom(self.parameter_names.get(at).map_or("None", String::as_str))
    }

    /// The value of a repetition.
    pub(super) fn turn(at: usize) -> Code {
        Code::Atom(format!("turn_[{at}]"))
    }

    /// A column of a row.
    pub(super) fn column(&self, row: &RowReference, name: &str) -> Code {
        match row {
            RowReference::Current => self.current_column(name),
            RowReference::First(step) => match self.position(*step, name) {
                Some(column) => {
                    let found = Code::Atom(name_found(*step));
                    Code::support("first", vec![found, Code::Atom(column.to_string())])
                }
                None => Code::atom("None"),
            },
            RowReference::Turn(at, path) => match self.row_at(*at, path) {
                Some((row, step)) => match self.position(step, name) {
                    Some(column) => Code::Atom(format!("{row}.values[{column}]")),
                    None => Code::atom("None"),
                },
                None => Code::atom("None"),
            },
        }
    }

    /// The row of a repetition over rows, or one under which it was read; and its step.
    pub(super) fn row_at(&self, at: usize, path: &[usize]) -> Option<(String, usize)> {
        let Some(Repetition::Rows(step)) = self.repetitions.get(at) else { return None };
        let (mut row, mut step) = (format!("turn_[{at}]"), *step);
        for parent in path {
            row = format!("{row}.parents[{parent}]");
            step = *self.fetch(step)?.parents.get(*parent)?;
        }
        Some((row, step))
    }

    /// The row of a step that is known at a turn of the repetitions before a position.
    pub(super) fn find_row(&self, wanted: usize, before: usize) -> Option<String> {
        let turns = self.repetitions.iter().enumerate().take(before).rev();
        turns.into_iter().find_map(|(at, repetition)| {
            let Repetition::Rows(step) = repetition else { return None };
            let path = self.find_path(*step, wanted, self.fetches.len())?;
            self.row_at(at, &path).map(|found| found.0)
        })
    }

    fn find_path(&self, from: usize, wanted: usize, depth: usize) -> Option<Vec<usize>> {
        if from == wanted {
            return Some(Vec::new());
        }
        let fetch = self.fetch(from).filter(|_| depth > 0)?;
        fetch.parents.iter().enumerate().find_map(|(at, parent)| {
            let rest = self.find_path(*parent, wanted, depth - 1)?;
            Some([vec![at], rest].concat())
        })
    }

    /// The step at a position.
    pub(super) fn fetch(&self, step: usize) -> Option<&'a Fetch> {
        self.fetches.get(step).copied().flatten()
    }

    /// The position of a column among those of a step.
    pub(super) fn position(&self, step: usize, name: &str) -> Option<usize> {
        self.fetch(step)?.statement.columns.iter().position(|column| column.name == name)
    }

    /// Whether a step, or one over whose rows it is repeated, reads a column.
    pub(super) fn is_read(&self, step: usize, name: &str, depth: usize) -> bool {
        let is_parent = |fetch: &Fetch| {
            fetch.parents.iter().any(|parent| self.is_read(*parent, name, depth - 1))
        };
        self.position(step, name).is_some() || depth > 0 && self.fetch(step).is_some_and(is_parent)
    }

    fn current_column(&self, name: &str) -> Code {
        let fields = self.row.map(|row| row.fields.as_slice()).unwrap_or_default();
        let Some(at) = fields.iter().position(|field| field.name == name) else {
            return Code::atom("None");
        };
        let value = Code::Atom(format!("row_[{at}]"));
        let ty = fields.get(at).filter(|_| self.is_raw).map(|field| &field.ty);
        match ty.and_then(|ty| types::decoder(self.names, ty, false)) {
            Some(decoder) => Code::convert(&decoder, value),
            None => value,
        }
    }

    /// Whether an expression is never null.
    pub(super) fn is_never_null(&self, expression: &crate::program::Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Parameter(at) => {
                self.parameters.get(*at).is_some_and(|parameter| !parameter.nullable)
            }
            ExpressionKind::Constant(value) => {
                !matches!(value, crate::program::ConstantValue::Null)
            }
            ExpressionKind::Bucket(part, _) => {
                !matches!(part.ty, DataType::Blob) && self.is_never_null(part)
            }
            ExpressionKind::Prefix(part, _)
            | ExpressionKind::PrefixEnd(part)
            | ExpressionKind::Singleton(part)
            | ExpressionKind::Convert(part) => self.is_never_null(part),
            ExpressionKind::Shard(parts, _) => parts.iter().all(|part| self.is_never_null(part)),
            _ => false,
        }
    }
}

/// The name of the rows that a step returned.
pub(super) fn name_found(step: usize) -> String {
    format!("found_{step}_")
}
