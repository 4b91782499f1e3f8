//! Notes about writes that the workload lacks.

use std::fmt;

use crate::figures::format_rate;
use crate::plan::names::list_names;

/// Notes about writes that the workload lacks.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteGapTopic {
    /// An entity grows, and no write inserts it.
    NeverInserted {
        /// The entity's name.
        entity: String,
        /// New rows per second.
        rate: f64,
    },
    /// A table that locates rows for writes is filled by none.
    UnfilledTable {
        /// The table's name.
        table: String,
        /// The writes that it is for.
        writes: Vec<String>,
    },
    /// Queries read columns that no write sets.
    UnwrittenColumns {
        /// The entity's name.
        entity: String,
        /// The columns.
        columns: Vec<String>,
        /// The queries.
        reads: Vec<String>,
    },
}

impl fmt::Display for WriteGapTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverInserted { entity, rate } => write!(
                f,
                "`{entity}` grows by {}, but no write inserts it: its inserts are not planned and not priced",
                format_rate(*rate)
            ),
            Self::UnfilledTable { table, writes } => write!(
                f,
                "`{table}` locates rows for {}, but no write fills it",
                list_names(writes)
            ),
            Self::UnwrittenColumns { entity, columns, reads } => write!(
                f,
                "{} of `{entity}` {} read by {}, but no write sets {}",
                list_names(columns),
                if columns.len() == 1 { "is" } else { "are" },
                list_names(reads),
                if columns.len() == 1 { "it" } else { "them" }
            ),
        }
    }
}

impl WriteGapTopic {
    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        match self {
            Self::NeverInserted { entity, .. } => {
                format!("add the INSERT INTO {entity}, with its @rate")
            }
            Self::UnfilledTable { .. } => {
                "add the INSERT of the rows, or fill the table when they are loaded".to_owned()
            }
            Self::UnwrittenColumns { .. } => {
                "add it to the INSERT, or the UPDATE that sets it; or remove it from the query"
                    .to_owned()
            }
        }
    }
}
