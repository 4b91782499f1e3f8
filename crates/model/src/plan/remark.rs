//! Remarks about one plan.

use std::fmt;

use crate::figures::{format_bytes, pluralise};

/// A remark about a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanRemark {
    /// Rows are found by an index.
    SearchedByIndex {
        /// The indexed column.
        column: String,
        /// The partition is known, so that only its replicas are searched.
        within_partition: bool,
    },
    /// The query does not restrict a partition key column.
    EveryPartition {
        /// The column.
        column: String,
    },
    /// The partition is found by the first characters of what is searched for.
    PrefixNeeded {
        /// The column.
        column: String,
    },
    /// The client sorts, because an index has no order.
    UnorderedIndex,
    /// The client sorts, because the table is clustered for a range.
    ClusteredForRange,
    /// A new row is not referenced yet, so it adds nothing to a table.
    NoReferringRows {
        /// The table.
        table: String,
        /// The table of the model.
        entity: String,
    },
    /// A condition on what was read may fail because another write came first.
    ReadAgain {
        /// The column that is read.
        column: String,
    },
    /// Rows are read and then written without an IF.
    RowsReadFirst,
    /// Rows of a table are inserted with IF NOT EXISTS, so changes to them must be conditional too.
    SharedVote {
        /// The table.
        table: String,
    },
    /// The condition of a change of counters is checked by the client.
    CounterCondition,
    /// A later write expires later than the rest of its row.
    LaterExpiry,
    /// No table stores the changed columns.
    NothingToChange,
    /// An element is appended to a list.
    ListAppend,
    /// A counter is deleted.
    CounterDeleted {
        /// The table.
        table: String,
    },
    /// A counter is set to a value.
    CounterSet,
    /// Several conditional statements follow one another.
    UndoOnRefusal,
    /// A batch is large.
    LargeBatch {
        /// Its size.
        bytes: f64,
    },
    /// Statements are too many for a batch.
    TooManyForBatch {
        /// How many there may be.
        statements: f64,
        /// Their size.
        bytes: f64,
    },
    /// A counter update may count twice.
    CounterTimeout,
    /// A conditional write returns values that it neither sets nor compares.
    ReturnedAsRead,
}

impl fmt::Display for PlanRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SearchedByIndex { column, within_partition } => {
                let searched = if *within_partition { "the partition" } else { "every node" };
                write!(f, "{searched} is searched with the index on {column}")
            }
            Self::EveryPartition { column } => {
                write!(f, "the query does not restrict {column}: every partition is read")
            }
            Self::PrefixNeeded { column } => {
                write!(f, "the prefix is not empty: its first character is {column}")
            }
            Self::NoReferringRows { table, entity } => {
                write!(f, "nothing changes in {table}: no rows reference a new row of {entity} yet")
            }
            Self::ReadAgain { column } => write!(
                f,
                "if the condition does not hold, another write came first: read {column} again and retry"
            ),
            Self::SharedVote { table } => write!(
                f,
                "rows of {table} are inserted with IF NOT EXISTS, so their changes are conditional too and sent outside of any batch; retry until the server responds"
            ),
            Self::CounterDeleted { table } => write!(
                f,
                "a deleted counter must not be used again: no later row of {table} may have the same key"
            ),
            Self::LargeBatch { bytes: size } => {
                write!(f, "the batch has about {}: the server warns above 5 KiB", format_bytes(*size))
            }
            Self::TooManyForBatch { statements, bytes: size } => write!(
                f,
                "{} ({}) may be too many for a batch (100 statements; the server rejects 50 KiB): they are sent separately, a few at a time, and the write is retried until all are applied",
                pluralise(*statements, "statement"),
                format_bytes(*size)
            ),
            Self::UnorderedIndex => f.write_str(
                "an index returns rows in no order, so the client sorts them",
            ),
            Self::ClusteredForRange => f.write_str(
                "the table is clustered for the range, so the client sorts the rows",
            ),
            Self::CounterCondition => f.write_str(
                "a counter update cannot be conditional: the condition is checked on the values read before",
            ),
            Self::RowsReadFirst => f.write_str(
                "the rows are read first and then written without a condition: the change of another client between the two is not noticed",
            ),
            Self::LaterExpiry => f.write_str(
                "the values written now expire later than the rest of the row: add USING TTL with the remaining time to live of the row",
            ),
            Self::NothingToChange => f.write_str("no table stores the changed columns"),
            Self::ListAppend => f.write_str(
                "a retried append adds the element to the list twice: use @set to make the column a set",
            ),
            Self::CounterSet => f.write_str(
                "setting a counter is not safe under concurrent writes: prefer adding to it",
            ),
            Self::UndoOnRefusal => f.write_str(
                "a condition that does not hold ends the write: delete the rows that the conditional INSERTs before it added",
            ),
            Self::ReturnedAsRead => f.write_str(
                "returned columns that the write does not set are those read before it: another write may have changed them since",
            ),
            Self::CounterTimeout => f.write_str(
                "a counter update that timed out may or may not have been applied: retrying it may count twice",
            ),
        }
    }
}
