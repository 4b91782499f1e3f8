//! What the buckets of a table stand on.

use std::fmt;

use crate::figures::{format_days, pluralise};
use crate::plan::Bucket;

/// What is to be said about buckets.
#[derive(Clone, Debug, PartialEq)]
pub enum BucketTopic {
    /// Nobody says how fast the rows of a bucketed table come.
    UnknownGrowth {
        /// The table's name.
        table: String,
        /// Rows of a partition at p99.9, without the buckets.
        rows: f64,
        /// Days over which they are taken to have come.
        days: f64,
        /// The entity of which nothing is said.
        entity: String,
    },
    /// Rows are taken to come when what they are joined to did.
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
    /// A walk over buckets ends at that of now.
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
            Self::UnknownGrowth { table, rows, days: over, .. } => write!(
                f,
                "the {} of a partition of `{table}` are assumed to have arrived evenly over {}: no growth rate is given",
                pluralise(*rows, "row"),
                format_days(*over)
            ),
            Self::TimeOfAnother { table, entity, other, attribute } => write!(
                f,
                "rows of {entity} are assumed to arrive around `{attribute}` of their row of {other}: the buckets of `{table}` are sized accordingly"
            ),
            Self::PastOnly { table, attribute, bucket } => write!(
                f,
                "`{attribute}` of `{table}` is assumed not to be in the future: a walk over its {}s ends at the current one",
                bucket.name()
            ),
        }
    }
}

impl BucketTopic {
    /// What to do about it.
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
