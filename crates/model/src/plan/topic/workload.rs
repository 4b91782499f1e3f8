//! Notes about reads and writes together: parameters, consistency, entities that are never read,
//! queues.

use std::fmt;

use crate::figures::{format_count, format_duration, format_rate, format_share, pluralise};
use crate::plan::names::list_names;

/// Notes about reads and writes together.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkloadTopic {
    /// A statement needs parameters that nothing supplies.
    MissingParameters {
        /// The name of the read or write.
        statement: String,
        /// The parameters.
        parameters: Vec<String>,
    },
    /// A read may miss what was written.
    MissedWrites {
        /// The read's name.
        read: String,
        /// Its consistency level.
        level: String,
        /// The writes.
        writes: Vec<String>,
        /// The consistency level of the first of them.
        write_level: String,
        /// The datacenters and the copies in each.
        copies: Vec<(String, u32)>,
    },
    /// The cluster is too small for the work.
    TooMuchWork {
        /// Nodes that it needs.
        needed: f64,
        /// Nodes that there are.
        nodes: f64,
        /// Cores of a node.
        cores: f64,
        /// The read or write with most of the work.
        statement: String,
        /// Its share.
        share: f64,
    },
    /// Reads and writes at local levels, in several datacenters.
    LocalLevels,
    /// An entity is written and read by no query.
    StoredNowhere {
        /// The entity's name.
        entity: String,
        /// The writes.
        writes: Vec<String>,
    },
    /// A read polls for what a write then takes.
    Queue {
        /// The read's name.
        read: String,
        /// The write's name.
        write: String,
        /// How it takes rows.
        departure: Departure,
        /// Tombstones that each poll scans.
        tombstones: f64,
        /// How often the write runs, per second.
        rate: f64,
        /// Seconds that tombstones are kept.
        grace: f64,
    },
}

/// How rows leave a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// They are deleted.
    Delete,
    /// A change takes them out of what is polled: a status, a flag, an owner.
    Change,
    /// A later time puts them behind the others.
    Postponement,
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Delete => "rows that were polled are deleted",
            Self::Change => "rows that were polled are changed and leave the polled set",
            Self::Postponement => "rows that were polled get a later time",
        })
    }
}

impl fmt::Display for WorkloadTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingParameters { statement, parameters } => write!(
                f,
                "`{statement}` needs {}, which no earlier step returns and no user enters",
                list_names(parameters)
            ),
            Self::MissedWrites { read, level, writes, write_level, copies } => {
                let copies: Vec<String> =
                    copies.iter().map(|(name, copies)| format!("{copies} in {name}")).collect();
                write!(
                    f,
                    "`{read}` reads at {level} and may miss what {} wrote at {write_level}: both together do not contact more nodes than there are copies ({})",
                    list_names(writes),
                    copies.join(", ")
                )
            }
            Self::TooMuchWork { needed, nodes, cores, statement, share } => write!(
                f,
                "the work needs {} of {cores:.0} cores, the cluster has {}: {} of it is `{statement}`",
                pluralise(*needed, "node"),
                format_count(*nodes),
                format_share(*share)
            ),
            Self::LocalLevels => f.write_str(
                "readers and writers of the same rows are assumed to use the same datacenter: in another one a write at a local level becomes visible a moment later",
            ),
            Self::StoredNowhere { entity, writes } => write!(
                f,
                "`{entity}` is written by {} and read by no query: no table stores it",
                list_names(writes)
            ),
            Self::Queue { read, write, departure, tombstones, rate, grace } => write!(
                f,
                "`{read}` and `{write}` form a queue: {departure} at {}, so that each poll scans {} (kept for {}; Cassandra fails a read at 100k), two workers can take the same row, and the order is not guaranteed: a row that was taken may be returned again",
                format_rate(*rate),
                pluralise(*tombstones, "tombstone"),
                format_duration(*grace),
            ),
        }
    }
}

impl WorkloadTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::MissedWrites { .. } => &["QP020"],
            Self::Queue { .. } => &["QP021", "TB001", "TB002", "TB004"],
            _ => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) const fn help(&self) -> &'static str {
        match self {
            Self::MissingParameters { .. } => {
                "name the step that returns it with @after, and select it there"
            }
            Self::MissedWrites { .. } => {
                "use @consistency local_quorum for both the read and the writes"
            }
            Self::TooMuchWork { .. } => {
                "narrow what it reads or writes (a LIMIT, a key with fewer rows), lower its rate with a cache, or raise @nodes"
            }
            Self::LocalLevels => {
                "write with @consistency each_quorum what must be visible everywhere at once"
            }
            Self::StoredNowhere { .. } => "add a query that reads it, or remove the writes",
            Self::Queue { .. } => {
                "use a message broker (Apache Kafka, Apache Pulsar, RabbitMQ, Amazon SQS, Redis Streams); or keep the rows in time buckets with a TTL (@retain), one partition for each worker, and read on from the last position instead of deleting; or update a status by key in a table that no poll orders by it"
            }
        }
    }
}
