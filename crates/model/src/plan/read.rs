//! The plan of a read.
//!
//! # Running a plan
//!
//! 1. The steps before the main one: at most one finds keys ([`super::ReadPart::Keys`]); each other
//!    one reads the oldest bucket for the [`BucketWalk`] that names it ([`BucketWalk::oldest`]),
//!    and only when that walk needs it.
//! 2. The main step. Its *rows* are the input of the client steps. A row has its columns by name,
//!    as the statement returns them (`AS` names included). Where the main step is repeated over the
//!    rows of the step that finds keys ([`Loop::Rows`], always its outermost loop), a row has also
//!    the columns of the row under which it was read.
//! 3. The client steps, in order. A step after the main one runs when the client comes to the
//!    [`ClientStep::Attach`] that names it, for the rows that are left by then; it adds its columns
//!    to them. (Running it earlier, for all rows, gives the same result.)
//! 4. The result: of each row the outputs of the read, by their names. All other columns of a row
//!    are dropped.
//!
//! No two steps give a row a column of the same name, nor does a statement return two columns of
//! one name (unless the read itself has two outputs of that name). An output of the read that is a
//! plain column has the output's name in the rows; only where there is a [`ClientStep::Aggregate`],
//! that step makes all outputs. Where client steps use a column of the read (to filter, sort, group
//! or aggregate), [`ReadPlan::columns`] has its name in the rows.
//!
//! A read that aggregates without GROUP BY always has one row: where the plan is left with none,
//! its counts are 0 and all else is null.

use super::{Bucket, Effort, PlanRemark, Select};
use crate::expression::Expression;
use crate::id::{LoopId, ParameterId, StepId, TableId};
use crate::workload::{Column, ComputedOutput, Condition, Limit, SortColumn, Value};

/// The plan of a read: its statements, then the client steps on the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadPlan {
    /// The statements, in order. A later one may use the rows of an earlier one.
    pub steps: Vec<ReadStep>,
    /// The position of the main step, which returns the rows. Before it may come the one that
    /// finds the keys by which it reads ([`super::ReadPart::Keys`]) and those that read the oldest
    /// bucket; after it those that look up more for each row.
    pub main: StepId,
    /// The client steps on the rows of the main step, in order.
    pub client: Vec<ClientStep>,
    /// The names that columns of the read have in the rows: all that client steps use, and all
    /// outputs that are columns. A column that is joined to be equal to another may be there under
    /// its name. Sorted, each once.
    pub columns: Vec<(Column, String)>,
    /// Partitions read, usually.
    pub partitions: f64,
    /// Partitions read at most; infinite where nothing bounds them.
    pub partitions_at_most: f64,
    /// Rows read, usually.
    pub rows: f64,
    /// The effort of running it once.
    pub effort: Effort,
    /// Remarks about the plan.
    pub remarks: Vec<PlanRemark>,
}

/// One statement of a plan, run once or for each turn of its loops. Where a value of its key is
/// null (a reference to nothing), it is not sent and returns no row.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadStep {
    /// The table it reads.
    pub table: TableId,
    /// The statement.
    pub select: Select,
    /// What it is repeated over, outermost first.
    pub loops: Vec<Loop>,
    /// Where it returns no row (or is not sent), it counts as one row of nulls, as in a LEFT JOIN.
    pub optional: bool,
    /// The usual widths of the ranges of columns, as far as they are stated: seconds of a time,
    /// else values.
    pub spans: Vec<(String, f64)>,
}

/// Where the value of a `?` comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A parameter of the read or write.
    Parameter(ParameterId),
    /// A constant, in CQL's spelling: it stands in the statement itself.
    Literal(String),
    /// The value of a loop at this turn: the position among the loops of the statement.
    Turn(LoopId),
    /// The bucket in which a value falls.
    BucketOf(Box<Operand>, Bucket),
    /// The shard of a key: [`schema::partitioner::shard`] of the values in the order given.
    ShardOf(Vec<Operand>, u32),
    /// The first characters of a value.
    PrefixOf(Box<Operand>, usize),
    /// The least text that is greater than every text with this prefix.
    AfterPrefix(Box<Operand>),
    /// A column of the row that an earlier step of the same plan returned (of each row, where it
    /// returned many): of the row at this turn of [`Loop::Rows`], or of the row under which that
    /// one was read.
    Row {
        /// The step.
        step: StepId,
        /// The column's name in the CQL result.
        column: String,
    },
    /// A collection of this one element, as a set or list gains or loses it.
    Single(Box<Operand>),
    /// A value, or this constant (CQL) where it is null.
    OrElse(Box<Operand>, String),
    /// The first value, or the second where the first is null.
    Coalesce(Box<Operand>, Box<Operand>),
    /// The value of an assignment of an UPDATE that is left out where the value is null, so that
    /// the column keeps its value. (A driver may bind it as unset instead.) An UPDATE of which no
    /// assignment is left is not sent.
    UnlessNull(Box<Operand>),
    /// The difference of two whole numbers, or their negation: for counters that follow an update.
    Minus(Box<Operand>, Box<Operand>),
    /// An array with an element at its end; a null array has none before.
    Appended(Box<Operand>, Box<Operand>),
    /// An array without the elements that equal a value.
    Without(Box<Operand>, Box<Operand>),
    /// The value of an expression: of a generated column.
    Computed(Box<Expression<Operand>>),
    /// A write timestamp with which the row of an older bucket wins: 2^52 minus the bucket's start
    /// in milliseconds (or minus its number, for a range). For the row that records the oldest
    /// bucket.
    OldestWins(Box<Operand>),
    /// The reverse: 2^52 plus the bucket's number. For the row that records the newest bucket.
    NewestWins(Box<Operand>),
}

/// What a statement is repeated over.
#[derive(Clone, Debug, PartialEq)]
pub enum Loop {
    /// The values of an IN, one statement for each, in parallel; duplicates are removed.
    Values(Vec<Value>),
    /// The elements of an array, in parallel; duplicates are removed.
    Elements(Operand),
    /// All shards, 0 to the number less one, in parallel; the results are merged.
    Shards(u32),
    /// Buckets: one after the other where the walk may stop early, else in parallel.
    Buckets(BucketWalk),
    /// The rows of an earlier step, in parallel. Where that step was itself repeated over the rows
    /// of a still earlier one, a turn also represents the row under which its own was read, so that
    /// both can be named ([`Operand::Row`]).
    Rows(StepId),
}

/// A walk over buckets.
#[derive(Clone, Debug, PartialEq)]
pub struct BucketWalk {
    /// Their width.
    pub bucket: Bucket,
    /// From the newest to the oldest, or in the opposite direction.
    pub newest_first: bool,
    /// The lowest value wanted; `None`: down to the retention or the oldest bucket there is.
    pub from: Option<Operand>,
    /// The highest value wanted; `None`: up to now, or to the newest bucket there is.
    pub to: Option<Operand>,
    /// Seconds of the retention, if rows expire; `None` for ranges of integers.
    pub retain: Option<f64>,
    /// The step that reads the oldest bucket, where there is one. It runs only once a bucket did
    /// not suffice. Its loops are those around the walk, and it runs for the same turn of them; no
    /// row: there are no buckets.
    pub oldest: Option<StepId>,
    /// The step that reads the newest bucket, for ranges of integers where an end is unknown: the
    /// same as that of the oldest one. It runs before the first bucket is read, and the walk stays
    /// between both buckets.
    pub newest: Option<StepId>,
    /// Whether it may stop as soon as it has the rows of the LIMIT (one, where there is none), at
    /// this turn of the loops around it: the buckets come in the order of the result. Where shards
    /// stand inside the walk, all of a bucket are read before it stops. Rows that client filters
    /// drop do not count.
    pub stops_at_limit: bool,
    /// Buckets that a walk that may stop requests at once: as many as it usually needs. It stops
    /// after all of them, and the client drops the rows beyond the LIMIT.
    pub ahead: u16,
}

/// A step of the client on rows.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientStep {
    /// Keeps the rows that meet a condition, as SQL means it: a null meets none. Columns are those
    /// of the read.
    Filter(Condition),
    /// Merges sorted streams (the turns of the main step's loops other than buckets) by the order
    /// of the result. Sorting all rows gives the same.
    Merge(Vec<SortColumn>),
    /// Sorts all rows.
    Sort(Vec<SortColumn>),
    /// Keeps the first rows.
    Limit(Limit),
    /// Adds up the counts and sums, and takes the least of the least and the greatest of the
    /// greatest, of the rows that the turns returned, by group: columns of the read (none: all rows
    /// are one group). What each column of the rows is, its output says; a sum and a count for an
    /// average are named in the [`ClientStep::Average`] that follows.
    Combine(Vec<Column>),
    /// Makes the read's outputs from plain rows (no counter could be used), a row by group: columns
    /// of the read (none: all rows are one group, which there is even without rows). A row keeps
    /// the columns of its group for the sorting.
    Aggregate(Vec<Column>),
    /// Divides a sum by a count: the names of both columns, and of the average.
    Average {
        /// The sum's column.
        sum: String,
        /// The count's column.
        count: String,
        /// The output.
        output: String,
    },
    /// Makes a sum null where no value was added up: the names of its column and of their count.
    EmptySumIsNull {
        /// The sum's column.
        sum: String,
        /// The count's column.
        count: String,
    },
    /// Drops groups whose count is 0.
    DropEmptyGroups(String),
    /// Reads an absent counter row as 0: of counts and sums, which there are without rows.
    AbsentIsZero,
    /// Adds to each row what the step returned for it (a step that is repeated over no rows returns
    /// the same for all). What that is, the part says that the step's table serves of the read:
    /// [`super::ReadPart::Counters`]: counters, 0 where they are absent;
    /// [`super::ReadPart::Elements`]: the array of the values of the statement's only column in all
    /// rows returned, null where there are none; [`super::ReadPart::Columns`]: the columns of the
    /// one row returned, or, where none is, the row is dropped, as an inner join does, unless the
    /// step is optional.
    Attach(StepId),
    /// Leaves out the row of a partition that has static columns and no rows: the column, of the
    /// clustering key, is null.
    DropStaticRow(String),
    /// Returns whether there was a row.
    Exists,
    /// Last: computes what is returned from the outputs of each row, as `PostgreSQL` would.
    Compute(Vec<ComputedOutput>),
}

impl Operand {
    /// The operands directly inside this one.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Parameter(_) | Self::Literal(_) | Self::Turn(_) | Self::Row { .. } => Vec::new(),
            Self::BucketOf(of, _)
            | Self::PrefixOf(of, _)
            | Self::AfterPrefix(of)
            | Self::OrElse(of, _)
            | Self::Single(of)
            | Self::UnlessNull(of)
            | Self::OldestWins(of)
            | Self::NewestWins(of) => vec![of],
            Self::ShardOf(values, _) => values.iter().collect(),
            Self::Minus(left, right)
            | Self::Coalesce(left, right)
            | Self::Appended(left, right)
            | Self::Without(left, right) => vec![left, right],
            Self::Computed(expression) => expression.columns(),
        }
    }

    /// The operands directly inside this one, mutably.
    pub fn parts_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Parameter(_) | Self::Literal(_) | Self::Turn(_) | Self::Row { .. } => Vec::new(),
            Self::BucketOf(of, _)
            | Self::PrefixOf(of, _)
            | Self::AfterPrefix(of)
            | Self::OrElse(of, _)
            | Self::Single(of)
            | Self::UnlessNull(of)
            | Self::OldestWins(of)
            | Self::NewestWins(of) => vec![of],
            Self::ShardOf(values, _) => values.iter_mut().collect(),
            Self::Minus(left, right)
            | Self::Coalesce(left, right)
            | Self::Appended(left, right)
            | Self::Without(left, right) => vec![left, right],
            Self::Computed(expression) => expression.columns_mut(),
        }
    }
}
