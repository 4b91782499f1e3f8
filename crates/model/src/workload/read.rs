//! Reads: the queries of the workload.

use cql::Span;
use cql::relation::Operator;

use super::{Column, Parameter, StatedResult, Value};
use crate::concept::Figure;
use crate::expression::Expression;
use crate::id::{EntityId, OutputId, ParameterId, ReadId, ReferenceId, SourceId};

/// A query of the application.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Its name.
    pub name: String,
    /// `:many` rather than `:one`.
    pub many: bool,
    /// Times per second.
    pub rate: Figure<f64>,
    /// The reads of the workflow that lead here; none for an entry point.
    pub after: Vec<ReadId>,
    /// `@consistency`, in CQL's spelling (`LOCAL_QUORUM`).
    pub consistency: String,
    /// `@exact`: a count that may not be a counter.
    pub exact: bool,
    /// FROM and its joins; the first has no join.
    pub sources: Vec<Source>,
    /// What is returned, `*` written out; where there are computed outputs, what they need.
    pub outputs: Vec<Output>,
    /// What is returned where that is not just the outputs: computed from them by the client.
    pub computed: Vec<ComputedOutput>,
    /// The WHERE clause, all of which must hold.
    pub conditions: Vec<Condition>,
    /// GROUP BY.
    pub group: Vec<Column>,
    /// ORDER BY.
    pub order: Vec<SortColumn>,
    /// LIMIT.
    pub limit: Option<Limit>,
    /// What is stated about the rows that it finds.
    pub stated: StatedResult,
    /// Its parameters, in the order of the text (each `:name` and `$1` once).
    pub parameters: Vec<Parameter>,
    /// The SQL, as the file has it; the macros of sqlc are expanded.
    pub sql: String,
    /// Its name in the file.
    pub span: Span,
}

/// An entity in a FROM clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The entity.
    pub entity: EntityId,
    /// Its alias, or its name.
    pub alias: String,
    /// How it is joined to an earlier source; `None` for the first.
    pub join: Option<Join>,
}

/// A join along a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Join {
    /// The earlier source it is joined to.
    pub with: SourceId,
    /// The reference, as a position among those of the entity that holds it.
    pub reference: ReferenceId,
    /// The earlier source holds the reference, so that this one is a single row; else this one
    /// does.
    pub to_one: bool,
    /// `LEFT JOIN` along a reference that may be null: where it refers to nothing, the row stays
    /// and this source is null. Only to one row; an inner join that finds a row for every row is
    /// not optional.
    pub optional: bool,
}

impl Source {
    /// Whether all its columns are null where a reference leads to no row.
    pub fn is_optional(&self) -> bool {
        self.join.is_some_and(|join| join.optional)
    }
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub value: OutputValue,
}

/// A column of the result that the client computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComputedOutput {
    /// Its name.
    pub name: String,
    /// How it is computed from the outputs.
    pub value: Expression<OutputId>,
}

/// What a column of the result shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputValue {
    /// A column.
    Column(Column),
    /// `COUNT(*)`, or `COUNT(column)` where the column is nullable.
    Count(Option<Column>),
    /// `SUM(column)`
    Sum(Column),
    /// `AVG(column)`
    Average(Column),
    /// `MIN(column)`
    Least(Column),
    /// `MAX(column)`
    Greatest(Column),
    /// `SELECT EXISTS(...)`; the inner query's FROM and WHERE are the read's.
    Exists,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// What must hold.
    pub predicate: Predicate,
    /// Its place in the file.
    pub span: Span,
}

/// The predicate of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Predicate {
    /// `column = value`, `column < value`, ... (BETWEEN is two of them)
    Compare {
        /// The column.
        column: Column,
        /// How.
        comparison: Comparison,
        /// With what.
        value: Value,
    },
    /// `column IN (a, b, ...)`
    In {
        /// The column.
        column: Column,
        /// The values.
        values: Vec<Value>,
    },
    /// `column = ANY(?)`: a list parameter.
    AnyOf {
        /// The column.
        column: Column,
        /// The parameter.
        parameter: ParameterId,
    },
    /// `? = ANY(array_column)`
    Holds {
        /// The array.
        column: Column,
        /// The element.
        value: Value,
    },
    /// `(a, b) < (?, ?)`
    Row {
        /// The columns.
        columns: Vec<Column>,
        /// The operator; never `Equal`, which is split into one comparison for each column.
        comparison: Comparison,
        /// The position, as long as `columns`.
        values: Vec<Value>,
    },
    /// `column LIKE 'x%'`; the value is the prefix without its `%`.
    Prefix {
        /// The column.
        column: Column,
        /// The prefix.
        value: Value,
    },
    /// `column IS NOT NULL`
    NotNull {
        /// The column.
        column: Column,
    },
    /// `column IS NULL`
    Null {
        /// The column.
        column: Column,
    },
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// One column of ORDER BY.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortColumn {
    /// The column.
    pub column: Column,
    /// DESC.
    pub descending: bool,
    /// The constant of `COALESCE(column, constant)`, in CQL's spelling: nulls are stored as it.
    pub null_as: Option<String>,
}

/// LIMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A number.
    Number(u64),
    /// A parameter.
    Parameter(ParameterId),
}

impl Predicate {
    /// The columns that it tests.
    pub fn columns(&self) -> &[Column] {
        match self {
            Self::Compare { column, .. }
            | Self::In { column, .. }
            | Self::AnyOf { column, .. }
            | Self::Holds { column, .. }
            | Self::Prefix { column, .. }
            | Self::NotNull { column }
            | Self::Null { column } => std::slice::from_ref(column),
            Self::Row { columns, .. } => columns,
        }
    }

    /// The same predicate on other columns; `None` when one of them has no counterpart.
    pub fn map_columns(&self, name: impl Fn(Column) -> Option<Column>) -> Option<Self> {
        let mut test = self.clone();
        match &mut test {
            Self::Compare { column, .. }
            | Self::In { column, .. }
            | Self::AnyOf { column, .. }
            | Self::Holds { column, .. }
            | Self::Prefix { column, .. }
            | Self::NotNull { column }
            | Self::Null { column } => *column = name(*column)?,
            Self::Row { columns, .. } => {
                for column in columns {
                    *column = name(*column)?;
                }
            }
        }
        Some(test)
    }
}

impl Comparison {
    /// The operator of CQL.
    pub const fn operator(self) -> Operator {
        match self {
            Self::Equal => Operator::Eq,
            Self::Less => Operator::Lt,
            Self::LessOrEqual => Operator::Lte,
            Self::Greater => Operator::Gt,
            Self::GreaterOrEqual => Operator::Gte,
        }
    }

    /// How SQL and CQL write it.
    pub const fn symbol(self) -> &'static str {
        self.operator().text()
    }
}
