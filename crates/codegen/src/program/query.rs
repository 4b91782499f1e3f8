//! Functions that read.

use serde::{Deserialize, Serialize};

use super::{
    ComparisonOperator, Condition, ConstantValue, DataType, Documentation, Expression, Fetch,
    Field, Parameter, Record, Repetition, Walk,
};

/// A function that reads.
///
/// 1. The step before the main one, if any, whose rows the main step is repeated over.
/// 2. The main step: a *stream* of rows for each turn of its repetitions other than walks over
///    buckets (a walk appends the rows of its buckets to the stream of the same position). The
///    first [`Query::row_stages`] stages are applied to the rows of each statement, so that a walk
///    counts only rows that are kept.
/// 3. The other stages, on all streams (one after the other, unless a stage merges them).
/// 4. The result: [`Query::outputs`] of each row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Its name, as the file has it.
    pub name: String,
    /// What its comment says.
    pub documentation: Documentation,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// One row or none, or many.
    pub cardinality: Cardinality,
    /// What it returns of each row.
    pub result: Record,
    /// The values of the result's fields, of [`super::RowReference::Current`].
    pub outputs: Vec<Expression>,
    /// The statements. Those that a walk names ([`super::Walk::ends`]) and those that a stage
    /// attaches run when they are needed.
    pub steps: Vec<Fetch>,
    /// The position of the main step.
    pub main: usize,
    /// The rows on which the stages work: the columns of the main step, of the rows under which
    /// it was read, and of what stages attach or compute; all may be null. Names are unique.
    pub row: Record,
    /// What the client does with the rows, in order.
    pub stages: Vec<Stage>,
    /// How many of the stages, from the first, work on single rows.
    pub row_stages: usize,
    /// The rows after which a walk may stop.
    pub limit: QueryLimit,
}

/// How many rows a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cardinality {
    /// `:one`: the first row, if any.
    One,
    /// `:many`
    Many,
}

/// LIMIT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryLimit {
    /// None: a walk stops after one row.
    None,
    /// So many rows.
    Rows(u64),
    /// The parameter at this position (a whole number).
    Parameter(usize),
}

/// What the client does with rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Keeps the rows that meet a condition.
    Filter(Condition),
    /// Runs a step for each row (its repetition over rows has the row as its only turn; its values
    /// use [`super::RowReference::Current`]) and adds the result.
    Attach {
        /// The step.
        step: usize,
        /// What it adds.
        part: AttachedPart,
    },
    /// Drops rows whose column is null: those of partitions with static columns only.
    DropStaticRow(String),
    /// Merges the streams, each of which is sorted so.
    Merge(Vec<SortKey>),
    /// Sorts all rows, stably.
    Sort(Vec<SortKey>),
    /// Keeps the first rows ([`Query::limit`]).
    Limit,
    /// Makes one row of the rows of each group (nulls are equal), in the order of the first ones:
    /// the values of the first row, except for these columns.
    Combine {
        /// The columns of the group; none: all rows are one.
        group: Vec<Expression>,
        /// Columns, and how the values of two rows become one; a null gives the other value.
        folds: Vec<(String, FoldKind)>,
    },
    /// Makes a row of [`Stage::Aggregate::record`] of the rows of each group; without group columns
    /// there is one row even without rows. After it, the current row is of this record.
    Aggregate {
        /// The columns of the group; none: all rows are one.
        group: Vec<Expression>,
        /// The columns of the new rows.
        record: Record,
        /// How each is computed.
        values: Vec<AggregateKind>,
    },
    /// Divides a sum by a count, as doubles; null where the count is 0 or null.
    Average {
        /// The column of the sum.
        sum: String,
        /// The column of the count.
        count: String,
        /// The column that it sets.
        output: String,
    },
    /// Sets a sum to null where the count is 0 or null.
    EmptySumIsNull {
        /// The column of the sum.
        sum: String,
        /// The column of the count.
        count: String,
    },
    /// Drops rows whose count is 0 or null.
    DropEmptyGroups(String),
    /// Where there is no row, makes one with these values (all else is null). In all rows, these
    /// columns are 0 where they are null.
    AbsentIsZero {
        /// The values of a row that is made.
        given: Vec<(String, Expression)>,
        /// The columns that are 0.
        zeros: Vec<String>,
    },
    /// Makes one row of all: whether there was any, in these columns.
    Exists(Vec<String>),
    /// Where there is no row, makes one with 0 in these columns and null in all others.
    RowOfZeros(Vec<String>),
}

/// What an attached step adds to a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttachedPart {
    /// The columns of the first row returned. Without one, the row is dropped, unless the step is
    /// optional: then they are null.
    Columns,
    /// The columns of the first row returned, and these, with 0 for null or absent ones.
    Counters(Vec<String>),
    /// In these columns, the array of the values of the only column of all rows returned, in their
    /// order; null without rows.
    Elements(Vec<String>),
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FoldKind {
    Sum,
    Least,
    Greatest,
}

/// How a column of a group is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AggregateKind {
    /// The value of the first row.
    First(Expression),
    /// The number of rows.
    CountRows,
    /// The number of values that are not null.
    Count(Expression),
    /// The sum of the values that are not null; null without any.
    Sum(Expression),
    /// The average as a double; null without any.
    Average(Expression),
    /// The least value.
    Least(Expression),
    /// The greatest value.
    Greatest(Expression),
    /// Null.
    Null,
}

/// A key of an order. Nulls are greater than all values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SortKey {
    /// The value.
    pub value: Expression,
    /// Greatest first.
    pub descending: bool,
    /// What stands for null.
    pub null_as: Option<ConstantValue>,
}

/// What the pages of a query are.
#[derive(Clone, Copy, Debug)]
pub enum QueryPaging<'q> {
    /// Those of one statement.
    Statement,
    /// Those of a statement in each bucket of a walk.
    Buckets(&'q Walk),
}

impl Query {
    /// The field of a column of the rows before any aggregation.
    pub fn row_field(&self, name: &str) -> Option<&Field> {
        self.row.field(name)
    }

    /// The type of a column of the rows.
    pub fn row_type(&self, name: &str) -> Option<&DataType> {
        self.row_field(name).map(|field| &field.ty)
    }

    /// How its rows can be read page by page: it has one statement that returns rows, sent once or
    /// in a walk over buckets without LIMIT, and only stages that work on single rows.
    pub fn find_paging(&self) -> Option<QueryPaging<'_>> {
        let main = self.steps.get(self.main)?;
        let is_first = (0..self.main).all(|step| self.is_lazy(step));
        let has_single_rows = self.stages.len() == self.row_stages;
        if self.cardinality != Cardinality::Many || !is_first || !has_single_rows {
            return None;
        }
        match main.repetitions.as_slice() {
            [] => Some(QueryPaging::Statement),
            [Repetition::Buckets(walk)] if self.limit == QueryLimit::None => {
                Some(QueryPaging::Buckets(walk))
            }
            _ => None,
        }
    }

    /// The steps that run only when a walk or a stage needs them.
    pub fn is_lazy(&self, step: usize) -> bool {
        step > self.main
            || self.steps.iter().flat_map(|fetch| &fetch.repetitions).any(|repetition| {
                matches!(repetition, Repetition::Buckets(walk) if walk.ends == Some(step))
            })
    }
}

impl ComparisonOperator {
    /// Whether equal values meet it.
    pub const fn is_met_by_equality(self) -> bool {
        matches!(self, Self::Equal | Self::LessOrEqual | Self::GreaterOrEqual)
    }
}
