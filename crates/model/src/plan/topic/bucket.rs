//! The assumptions behind the buckets of a table.

use std::fmt;

use crate::figures::{format_days, pluralise};
use crate::plan::Bucket;

/// Notes about buckets.
#[derive(Clone, Debug, PartialEq)]
pub enum BucketTopic {
    /// The growth of a bucketed table is not given.
    UnknownGrowth {
        /// The table's name.
        table: String,
        /// Rows of a partition at p99.9, without the buckets.
        rows: f64,
        /// Days over which they are assumed to have arrived.
        days: f64,
        /// The entity without a growth rate.
        entity: String,
    },
    /// Rows are assumed to arrive at the time of the row that they are joined to.
    TimeOfAnother {
        /// The table's name.
        table: String,
        /// The entity of the rows.
        entity: String,
        /// The entity that they are joined to.
        other: String,
        /// Its time.
        attribute: String,
    },
    /// A walk over buckets ends at the current one.
    PastOnly {
        /// The table's name.
        table: String,
        /// The time that is bucketed.
        attribute: String,
        /// The width of the buckets.
        bucket: Bucket,
    },
}

impl fmt::Display for BucketTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownGrowth { table, rows, days, .. } => write!(
                f,
                "the {} of a partition of `{table}` are assumed to have arrived evenly over {}: no growth rate is given",
                pluralise(*rows, "row"),
                format_days(*days)
            ),
            Self::TimeOfAnother { table, entity, other, attribute } => write!(
                f,
                "rows of {entity} are assumed to arrive around `{attribute}` of their row of {other}: the buckets of `{table}` are sized accordingly"
            ),
            Self::PastOnly { table, attribute, bucket } => write!(
                f,
                "`{attribute}` of `{table}` is assumed not to be in the future: a walk over its {bucket}s ends at the current one"
            ),
        }
    }
}

impl BucketTopic {
    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        match self {
            Self::UnknownGrowth { entity, .. } => {
                format!("write @grows above CREATE TABLE {entity}")
            }
            Self::TimeOfAnother { entity, .. } => {
                format!("order by a time of {entity} itself if they arrive later")
            }
            Self::PastOnly { attribute, .. } => {
                format!("give the query an upper bound (`{attribute} < ?`) if it may be")
            }
        }
    }
}
