//! The statements of plans as trees. A value is an [`Operand`] at the place where it is used, so
//! that removing a relation from a statement removes its operand too. `text` prints the statements:
//! a constant as it is, any other operand as a marker.

#[cfg(test)]
mod tests;
mod text;

pub use text::{Marker, Receiver, StatementText};

use std::borrow::Cow;

use cql::relation::Operator;
use cql::types::NativeType;

use super::{Direction, Operand, PlannedTable};

/// `SELECT ... FROM ... WHERE ...`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Select {
    /// The name of the table.
    pub table: String,
    /// What is selected.
    pub items: Vec<SelectItem>,
    /// WHERE.
    pub relations: Vec<Relation>,
    /// GROUP BY: names of columns.
    pub group_by: Vec<String>,
    /// ORDER BY: names of columns, with their directions.
    pub order_by: Vec<(String, Direction)>,
    /// LIMIT.
    pub limit: Option<RowLimit>,
    /// ALLOW FILTERING.
    pub allow_filtering: bool,
}

/// A column of the result of a SELECT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectItem {
    /// The column or aggregate.
    pub expression: SelectExpression,
    /// Its name in the result.
    pub name: String,
}

/// What a SELECT returns or computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectExpression {
    /// A column.
    Column(String),
    /// `COUNT(*)`
    CountRows,
    /// An aggregate of a column.
    Aggregate {
        /// The function.
        function: AggregateFunction,
        /// The column.
        column: String,
        /// The type that values are cast to first.
        cast: Option<NativeType>,
    },
}

/// An aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateFunction {
    /// `COUNT`
    Count,
    /// `SUM`
    Sum,
    /// `MIN`
    Min,
    /// `MAX`
    Max,
}

/// The rows that a SELECT returns at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowLimit {
    /// A constant.
    Rows(u64),
    /// The value of an operand.
    Operand(Operand),
}

/// A statement that changes a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Modification {
    /// INSERT.
    Insert(Insert),
    /// UPDATE.
    Update(Update),
    /// DELETE.
    Delete(Delete),
}

/// `INSERT INTO ... (...) VALUES (...)`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Insert {
    /// The name of the table.
    pub table: String,
    /// Names of columns, with their values.
    pub values: Vec<(String, Operand)>,
    /// IF.
    pub condition: IfClause,
    /// USING TIMESTAMP.
    pub timestamp: Option<Operand>,
}

/// `UPDATE ... SET ... WHERE ...`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The name of the table.
    pub table: String,
    /// SET.
    pub assignments: Vec<ColumnAssignment>,
    /// WHERE.
    pub relations: Vec<Relation>,
    /// IF.
    pub condition: IfClause,
}

/// An assignment of an UPDATE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnAssignment {
    /// The name of the column.
    pub column: String,
    /// How the value changes it.
    pub operator: AssignmentOperator,
    /// The value.
    pub value: Operand,
}

/// How a value changes a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignmentOperator {
    /// `c = ?`
    Set,
    /// `c = c + ?`: a counter, or a collection that gains elements.
    Add,
    /// `c = c - ?`: a counter, or a collection that loses elements.
    Subtract,
}

/// `DELETE ... FROM ... WHERE ...`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delete {
    /// The name of the table.
    pub table: String,
    /// Names of the columns that lose their values; none: whole rows go.
    pub columns: Vec<String>,
    /// WHERE.
    pub relations: Vec<Relation>,
    /// IF.
    pub condition: IfClause,
}

/// The IF clause of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IfClause {
    /// Always: it has no IF.
    #[default]
    Always,
    /// `IF EXISTS`
    Exists,
    /// `IF NOT EXISTS`
    NotExists,
    /// `IF a = ? AND b < ?`
    Columns(Vec<Relation>),
}

/// A relation of WHERE or IF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `c = ?`
    Column {
        /// The name of the column.
        column: String,
        /// How it compares with the value.
        operator: Operator,
        /// The value.
        value: Operand,
    },
    /// `c IN (?, ?)`
    In {
        /// The name of the column.
        column: String,
        /// The values.
        values: Vec<Operand>,
    },
    /// `c IN ?`
    InList {
        /// The name of the column.
        column: String,
        /// The list of the values.
        list: Operand,
    },
    /// `(a, b) > (?, ?)`
    Row {
        /// The names of the columns.
        columns: Vec<String>,
        /// How they compare with the values.
        operator: Operator,
        /// The values.
        values: Vec<Operand>,
    },
}

impl ColumnAssignment {
    /// An assignment to a column.
    pub fn new(column: &str, operator: AssignmentOperator, value: Operand) -> Self {
        Self { column: column.to_owned(), operator, value }
    }
}

impl Relation {
    /// `column = value`
    pub fn equal(column: &str, value: Operand) -> Self {
        Self::Column { column: column.to_owned(), operator: Operator::Eq, value }
    }

    /// The names of the columns that it restricts.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Column { column, .. } | Self::In { column, .. } | Self::InList { column, .. } => {
                std::slice::from_ref(column)
            }
            Self::Row { columns, .. } => columns,
        }
    }

    /// Whether it restricts a column.
    pub fn has_column(&self, column: &str) -> bool {
        self.columns().iter().any(|name| name == column)
    }

    /// The values, constants included.
    fn values_mut(&mut self) -> &mut [Operand] {
        match self {
            Self::Column { value, .. } | Self::InList { list: value, .. } => {
                std::slice::from_mut(value)
            }
            Self::In { values, .. } | Self::Row { values, .. } => values,
        }
    }
}

impl SelectExpression {
    /// The column that is returned or aggregated.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Column(column) | Self::Aggregate { column, .. } => Some(column),
            Self::CountRows => None,
        }
    }

    /// Whether it is computed from several rows.
    pub const fn is_aggregate(&self) -> bool {
        matches!(self, Self::CountRows | Self::Aggregate { .. })
    }
}

impl Select {
    /// The operands of its markers, in order.
    pub fn operands(&self) -> Vec<&Operand> {
        self.text().operands()
    }

    /// Its operands, constants included, mutably.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        let limit = self.limit.iter_mut().filter_map(|limit| match limit {
            RowLimit::Rows(_) => None,
            RowLimit::Operand(operand) => Some(operand),
        });
        self.relations.iter_mut().flat_map(Relation::values_mut).chain(limit).collect()
    }
}

impl Modification {
    /// The operands of its markers, in order.
    pub fn operands(&self) -> Vec<&Operand> {
        self.text().operands()
    }

    /// Its operands, constants included, mutably.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Self::Insert(insert) => {
                let values = insert.values.iter_mut().map(|(_, value)| value);
                values.chain(insert.condition.values_mut()).chain(&mut insert.timestamp).collect()
            }
            Self::Update(update) => {
                let values = update.assignments.iter_mut().map(|assignment| &mut assignment.value);
                let key = update.relations.iter_mut().flat_map(Relation::values_mut);
                values.chain(key).chain(update.condition.values_mut()).collect()
            }
            Self::Delete(delete) => {
                let key = delete.relations.iter_mut().flat_map(Relation::values_mut);
                key.chain(delete.condition.values_mut()).collect()
            }
        }
    }

    /// The statement without the assignments that are left out ([`Operand::UnlessNull`]); `None`
    /// where none is left of an UPDATE.
    pub fn omit_nulls(&self, is_null: impl Fn(&Operand) -> bool) -> Option<Cow<'_, Self>> {
        let Self::Update(update) = self else { return Some(Cow::Borrowed(self)) };
        let is_omitted = |assignment: &ColumnAssignment| match &assignment.value {
            Operand::UnlessNull(value) => is_null(value),
            _ => false,
        };
        if !update.assignments.iter().any(is_omitted) {
            return Some(Cow::Borrowed(self));
        }
        let mut left = update.clone();
        left.assignments.retain(|assignment| !is_omitted(assignment));
        (!left.assignments.is_empty()).then_some(Cow::Owned(Self::Update(left)))
    }

    /// The statement that undoes an INSERT with IF NOT EXISTS that was applied; `None` for any
    /// other.
    pub fn invert_insert(&self, table: &PlannedTable) -> Option<Self> {
        let Self::Insert(Insert { condition: IfClause::NotExists, .. }) = self else { return None };
        let key = table.columns.iter().filter(|column| column.is_key());
        let relations: Option<Vec<_>> = key
            .map(|column| {
                Some(Relation::equal(&column.name, self.key_value(&column.name)?.clone()))
            })
            .collect();
        Some(Self::Delete(Delete {
            table: table.name.clone(),
            columns: Vec::new(),
            relations: relations?,
            condition: IfClause::Exists,
        }))
    }

    /// The names of the columns that get a value.
    pub fn target_columns(&self) -> Vec<&str> {
        match self {
            Self::Insert(insert) => insert.values.iter().map(|(name, _)| name.as_str()).collect(),
            Self::Update(update) => {
                update.assignments.iter().map(|assignment| assignment.column.as_str()).collect()
            }
            Self::Delete(_) => Vec::new(),
        }
    }

    /// The value that it gives a column of the key.
    pub fn key_value(&self, name: &str) -> Option<&Operand> {
        let relations = match self {
            Self::Insert(insert) => {
                let mut values = insert.values.iter();
                return values.find(|(column, _)| column == name).map(|(_, value)| value);
            }
            Self::Update(update) => &update.relations,
            Self::Delete(delete) => &delete.relations,
        };
        relations.iter().find_map(|relation| match relation {
            Relation::Column { column, operator: Operator::Eq, value } if column == name => {
                Some(value)
            }
            _ => None,
        })
    }

    /// Whether it is an INSERT.
    pub const fn is_insert(&self) -> bool {
        matches!(self, Self::Insert(_))
    }

    /// Whether it is a DELETE.
    pub const fn is_delete(&self) -> bool {
        matches!(self, Self::Delete(_))
    }
}

impl IfClause {
    fn values_mut(&mut self) -> impl Iterator<Item = &mut Operand> {
        let relations = match self {
            Self::Columns(relations) => relations.as_mut_slice(),
            Self::Always | Self::Exists | Self::NotExists => &mut [],
        };
        relations.iter_mut().flat_map(Relation::values_mut)
    }
}
