//! What the expressions of a statement see, and the forms that values have in Go.

use super::types::{GoNullability, GoTypes, nullability};
use crate::program::{DataType, RowReference};

/// A parameter of a function, by its variable.
#[derive(Clone, Debug)]
pub(super) struct GoParameter {
    pub(super) variable: String,
    pub(super) ty: DataType,
    pub(super) nullable: bool,
}

/// A struct of the rows of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct GoRowType {
    pub(super) name: String,
    pub(super) columns: Vec<GoColumn>,
    /// The steps of the rows under which such a row was read.
    pub(super) parents: Vec<usize>,
}

/// A field of such a struct.
#[derive(Clone, Debug)]
pub(super) struct GoColumn {
    pub(super) column: String,
    pub(super) field: String,
    pub(super) ty: DataType,
}

impl GoRowType {
    /// The field of a column.
    pub(super) fn column(&self, name: &str) -> Option<&GoColumn> {
        self.columns.iter().find(|column| column.column == name)
    }
}

/// The variable of a repetition.
#[derive(Clone, Debug)]
pub(super) enum GoTurn {
    /// A value.
    Value(String, DataType),
    /// A row of a step.
    Row(String, usize),
    /// The current row, which needs no variable.
    Current,
}

/// The context of expressions.
#[derive(Clone, Debug)]
pub(super) struct GoScope<'p> {
    pub(super) types: &'p GoTypes,
    pub(super) parameters: &'p [GoParameter],
    /// The rows of the steps, by their positions; `None` for steps that do not read.
    pub(super) steps: &'p [Option<GoRowType>],
    pub(super) turns: Vec<GoTurn>,
    /// The variable of the current row, and its struct.
    pub(super) current: Option<(String, &'p GoRowType)>,
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoForm {
    /// It is not null.
    Plain,
    /// A pointer, nil for null.
    Pointer,
    /// A slice, map or big number, nil for null.
    OwnNil,
}

/// A value as code.
#[derive(Clone, Debug)]
pub(super) struct GoValue {
    pub(super) text: String,
    pub(super) form: GoForm,
    pub(super) ty: DataType,
}

impl GoValue {
    /// A value that is not null.
    pub(super) fn plain(text: impl Into<String>, ty: &DataType) -> Self {
        Self { text: text.into(), form: GoForm::Plain, ty: ty.clone() }
    }

    /// A value behind a pointer.
    pub(super) fn pointer(text: impl Into<String>, ty: &DataType) -> Self {
        Self { text: text.into(), form: GoForm::Pointer, ty: ty.clone() }
    }

    /// A value as fields keep it that may be null.
    pub(super) fn print_stored(text: impl Into<String>, ty: &DataType) -> Self {
        let form = match nullability(ty) {
            GoNullability::Pointer => GoForm::Pointer,
            GoNullability::OwnNil => GoForm::OwnNil,
        };
        Self { text: text.into(), form, ty: ty.clone() }
    }

    /// The value behind a pointer.
    pub(super) fn to_pointer(&self) -> String {
        match self.form {
            GoForm::Plain => format!("ptr({})", self.text),
            GoForm::Pointer => self.text.clone(),
            GoForm::OwnNil => match self.ty {
                DataType::Decimal | DataType::Varint => format!("refPointer({})", self.text),
                DataType::Map(..) => format!("refMap({})", self.text),
                _ => format!("refSlice({})", self.text),
            },
        }
    }

    /// The value as a field keeps it that may be null.
    pub(super) fn to_stored(&self) -> String {
        match (self.form, nullability(&self.ty)) {
            (GoForm::Plain, GoNullability::Pointer) => format!("ptr({})", self.text),
            (GoForm::Pointer, GoNullability::OwnNil) => format!("deref({})", self.text),
            _ => self.text.clone(),
        }
    }

    /// The value as a field keeps it that is never null: zero where it is null nevertheless.
    pub(super) fn to_plain(&self) -> String {
        match self.form {
            GoForm::Pointer => format!("deref({})", self.text),
            GoForm::Plain | GoForm::OwnNil => self.text.clone(),
        }
    }

    /// As [`Self::to_stored`] or [`Self::to_plain`].
    pub(super) fn to_field(&self, nullable: bool) -> String {
        if nullable { self.to_stored() } else { self.to_plain() }
    }

    /// Whether it is null, as a condition.
    pub(super) fn print_null_test(&self) -> String {
        match self.form {
            GoForm::Plain => "false".to_owned(),
            GoForm::Pointer | GoForm::OwnNil => format!("{} == nil", self.text),
        }
    }

    /// Whether it is not null, as a condition.
    pub(super) fn print_presence_test(&self) -> String {
        match self.form {
            GoForm::Plain => "true".to_owned(),
            GoForm::Pointer | GoForm::OwnNil => format!("{} != nil", self.text),
        }
    }

    /// The value where it is known not to be null.
    pub(super) fn find_known(&self) -> Self {
        let text = match self.form {
            GoForm::Pointer => format!("*{}", self.text),
            GoForm::Plain | GoForm::OwnNil => self.text.clone(),
        };
        Self { text, form: GoForm::Plain, ty: self.ty.clone() }
    }

    /// Whether the code is a variable or a field.
    pub(super) fn is_simple(&self) -> bool {
        self.text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.')
    }

    /// The value as the driver takes it, unless it is a tuple.
    pub(super) fn to_bound(&self) -> String {
        let call = |plain: &str, function: &str| match self.form {
            GoForm::Plain => plain.replace('$', &enclose(&self.text)),
            _ => format!("apply({}, {function})", self.text),
        };
        match self.ty {
            DataType::Timestamp => call("$.UnixMilli()", "time.Time.UnixMilli"),
            DataType::Date if self.form == GoForm::Plain => format!("dateMillis({})", self.text),
            DataType::Date => call("", "dateMillis"),
            _ => match (self.form, nullability(&self.ty)) {
                (GoForm::Pointer, GoNullability::OwnNil) => format!("deref({})", self.text),
                _ => self.text.clone(),
            },
        }
    }

    /// The value as the driver takes it. It takes the parts of a tuple one by one, so that a null
    /// tuple is one of nulls.
    pub(super) fn list_bound(&self, null_is_unset: bool) -> Vec<String> {
        match &self.ty {
            DataType::Tuple(parts) => parts
                .iter()
                .enumerate()
                .flat_map(|(at, part)| {
                    let text = format!("{}.Part{at}", self.to_plain());
                    let bound = Self::print_stored(text, part);
                    match part {
                        DataType::Tuple(_) => bound.list_bound(false),
                        _ => vec![bound.to_bound()],
                    }
                })
                .collect(),
            _ if null_is_unset => vec![self.to_unset()],
            _ => vec![self.to_bound()],
        }
    }

    /// The value as the driver takes it, unset where it is null.
    fn to_unset(&self) -> String {
        if self.form == GoForm::Plain {
            return self.to_bound();
        }
        let bound = self.to_bound();
        match self.ty {
            DataType::Map(..) => format!("unsetMap({bound})"),
            DataType::Blob
            | DataType::Inet
            | DataType::List(_)
            | DataType::Set(_)
            | DataType::Vector(..) => format!("unsetSlice({bound})"),
            _ => format!("orUnset({bound})"),
        }
    }
}

impl<'p> GoScope<'p> {
    /// The same with one more turn.
    pub(super) fn with_turn(&self, turn: GoTurn) -> Self {
        let mut scope = self.clone();
        scope.turns.push(turn);
        scope
    }

    /// The same with a current row.
    pub(super) fn with_current(&self, variable: &str, row: &'p GoRowType) -> Self {
        Self { current: Some((variable.to_owned(), row)), ..self.clone() }
    }

    /// A parameter.
    pub(super) fn parameter(&self, at: usize, ty: &DataType) -> GoValue {
        match self.parameters.get(at) {
            Some(parameter) if parameter.nullable => {
                GoValue::print_stored(&parameter.variable, &parameter.ty)
            }
            Some(parameter) => GoValue::plain(&parameter.variable, &parameter.ty),
            None => self.null(ty),
        }
    }

    /// Null.
    pub(super) fn null(&self, ty: &DataType) -> GoValue {
        GoValue::print_stored(format!("({})(nil)", self.types.nullable(ty)), ty)
    }

    /// The value of a repetition.
    pub(super) fn turn(&self, at: usize, ty: &DataType) -> GoValue {
        match self.turns.get(at) {
            Some(GoTurn::Value(variable, own)) => GoValue::plain(variable, own),
            _ => self.null(ty),
        }
    }

    /// A column of a row.
    pub(super) fn column(&self, row: &RowReference, name: &str, ty: &DataType) -> GoValue {
        let found = match row {
            RowReference::First(step) => self
                .steps
                .get(*step)
                .and_then(Option::as_ref)
                .map(|row| (format!("first{step}"), row)),
            RowReference::Turn(at, path) => self.follow(*at, path),
            RowReference::Current => self.current.clone(),
        };
        let column = found.and_then(|(variable, row)| Some((variable, row.column(name)?)));
        match column {
            Some((variable, column)) => read_column(&variable, column),
            None => self.null(ty),
        }
    }

    fn follow(&self, at: usize, path: &[usize]) -> Option<(String, &'p GoRowType)> {
        let GoTurn::Row(variable, step) = self.turns.get(at)? else { return None };
        let mut found = (variable.clone(), self.steps.get(*step)?.as_ref()?);
        for position in path {
            let parent = *found.1.parents.get(*position)?;
            found = (format!("{}.parent{position}", found.0), self.steps.get(parent)?.as_ref()?);
        }
        Some(found)
    }
}

/// Code of which a method is called.
pub(super) fn enclose(text: &str) -> String {
    if text.starts_with('*') { format!("({text})") } else { text.to_owned() }
}

/// A column of the row in a variable. The elements of a tuple are scanned into its fields: it is null
/// where all of them are.
pub(super) fn read_column(variable: &str, column: &GoColumn) -> GoValue {
    let text = format!("{variable}.{}", column.field);
    match column.ty {
        DataType::Tuple(_) => GoValue::pointer(format!("{text}.orNil()"), &column.ty),
        _ => GoValue::print_stored(text, &column.ty),
    }
}
