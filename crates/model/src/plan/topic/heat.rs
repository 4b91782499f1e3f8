//! The heat of partitions: how often they are written and read.

use std::fmt;

use crate::figures::{format_count, format_rate, format_writes};

/// Notes about the heat of partitions.
#[derive(Clone, Debug, PartialEq)]
pub enum HeatTopic {
    /// The hottest partition is written too often.
    HotWrites {
        /// The table's name.
        table: String,
        /// Writes per second.
        writes: f64,
        /// The limit.
        limit: f64,
        /// Whether the table holds counters.
        is_counter: bool,
    },
    /// The hottest partition is read too often.
    HotReads {
        /// The table's name.
        table: String,
        /// Reads per second.
        reads: f64,
        /// The limit.
        limit: f64,
        /// Whether the table has shards.
        is_sharded: bool,
    },
    /// The row that records the oldest bucket is written too often.
    HotOldestBucket {
        /// The table's name.
        table: String,
        /// Writes per second.
        writes: f64,
        /// The limit.
        limit: f64,
    },
    /// The partition key is time alone.
    TimeAlone {
        /// The table's name.
        table: String,
        /// Writes per second to the hottest one.
        writes: f64,
        /// Writes per second above which shards are added.
        limit: f64,
        /// Nodes that have a copy of one.
        copies: u32,
        /// All nodes.
        nodes: u32,
    },
}

impl fmt::Display for HeatTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HotWrites { table, writes, limit, .. } => write!(
                f,
                "the hottest partition of `{table}` receives {} writes, more than {}",
                format_rate(*writes),
                format_rate(*limit)
            ),
            Self::HotReads { table, reads, limit, is_sharded } => {
                let sharded = if *is_sharded { " (all shards are read each time)" } else { "" };
                write!(
                    f,
                    "the hottest partition of `{table}` is read {}{sharded}, more than {}",
                    format_rate(*reads),
                    format_rate(*limit)
                )
            }
            Self::HotOldestBucket { table, writes, limit } => write!(
                f,
                "one row of `{table}` receives {}, more than {}: every insert records the oldest bucket again",
                format_writes(*writes),
                format_rate(*limit)
            ),
            Self::TimeAlone { table, writes, copies, nodes, .. } => write!(
                f,
                "time alone is the partition key of `{table}`: all current writes ({} at the hottest) go to one partition, on {} of {} nodes",
                format_rate(*writes),
                format_count(f64::from(*copies)),
                format_count(f64::from(*nodes))
            ),
        }
    }
}

impl HeatTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::HotWrites { is_counter: true, .. } => &["CN008", "PK018"],
            Self::HotWrites { .. } | Self::HotReads { .. } | Self::HotOldestBucket { .. } => {
                &["PK018"]
            }
            Self::TimeAlone { .. } => &["PK004", "PK005"],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        let help = match self {
            Self::HotWrites { is_counter: true, .. } => {
                "count in the application and write the sums every second, or count by a finer key and sum when reading"
            }
            Self::HotWrites { .. } => {
                "search by one more attribute, so that the writes spread over more partitions"
            }
            Self::HotReads { .. } => {
                "add a cache, keep a copy per group of readers, or search by a narrower key: shards do not help a read that visits all of them"
            }
            Self::HotOldestBucket { .. } => {
                "write it only with the first row of a bucket in the application, or set @retain, which makes it unnecessary"
            }
            Self::TimeAlone { limit, .. } => {
                return format!(
                    "search by one more attribute if the query allows it; shards are added automatically above {} writes",
                    format_rate(*limit)
                );
            }
        };
        help.to_owned()
    }
}
