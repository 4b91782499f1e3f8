//! How partitions spread over nodes, and rows over partitions.

use std::fmt;

use crate::figures::{format_bytes, format_count, format_share, pluralise};
use crate::plan::names::list_names;

/// Notes about the spread of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum SpreadTopic {
    /// There are few partitions.
    Few {
        /// The table's name.
        table: String,
        /// How many.
        partitions: f64,
        /// The columns of the partition key.
        key: Vec<String>,
        /// Bytes of the table.
        bytes: f64,
        /// What that means for the nodes.
        imbalance: Imbalance,
    },
    /// Their key is text, assumed to be evenly used.
    EvenWords {
        /// The table's name.
        table: String,
        /// The columns of the partition key.
        key: Vec<String>,
        /// How many partitions there are.
        partitions: f64,
        /// Rows of one, on average.
        rows: f64,
        /// The share of the most popular value under a Zipf distribution, as of words in a
        /// language.
        top_share: f64,
        /// Rows of its partition.
        top_rows: f64,
        /// The attributes that the key is made from.
        attributes: Vec<String>,
    },
}

/// What few partitions mean for the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Imbalance {
    /// Some nodes hold none of it.
    Unused {
        /// Nodes that hold some, at most.
        holders: f64,
        /// All nodes.
        nodes: f64,
    },
    /// One partition is much of the whole.
    Largest {
        /// Its share.
        share: f64,
        /// Nodes that have a copy of it.
        copies: f64,
        /// All nodes.
        nodes: f64,
    },
    /// The busiest node has more than its share.
    Busiest {
        /// All nodes.
        nodes: f64,
        /// How much more, as a share.
        excess: f64,
    },
}

impl fmt::Display for SpreadTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Few { table, partitions, key, bytes: size, imbalance } => write!(
                f,
                "`{table}` has only {}, one for each {} ({} in total): {imbalance}",
                pluralise(*partitions, "partition"),
                list_names(key),
                format_bytes(*size)
            ),
            Self::EvenWords { table, key, partitions, rows, top_share, top_rows, .. } => write!(
                f,
                "`{table}` has a partition for each {} ({} of {} on average), assumed to be evenly used: if they are distributed like the words of a language, the largest has {} of all, {}",
                list_names(key),
                format_count(*partitions),
                pluralise(*rows, "row"),
                format_share(*top_share),
                pluralise(*top_rows, "row")
            ),
        }
    }
}

impl SpreadTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::Few { .. } => &["MV006", "PK001", "PK002", "PK003"],
            Self::EvenWords { .. } => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        match self {
            Self::Few { .. } => {
                "search by one more attribute, so that it can join the partition key".to_owned()
            }
            Self::EvenWords { attributes, .. } => {
                format!(
                    "state with @skew how evenly the values of {} are used",
                    list_names(attributes)
                )
            }
        }
    }
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused { holders, nodes } => {
                write!(f, "at most {holders} of {} store any of it", pluralise(*nodes, "node"))
            }
            Self::Largest { share: part, copies, nodes } => write!(
                f,
                "its largest partition alone is {} of it, on {copies} of {}",
                format_share(*part),
                pluralise(*nodes, "node")
            ),
            Self::Busiest { nodes, excess } => write!(
                f,
                "the busiest of {} carries about {} more than its share",
                pluralise(*nodes, "node"),
                format_share(*excess)
            ),
        }
    }
}
