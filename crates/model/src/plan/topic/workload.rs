//! What reads and writes need of one another: parameters, consistency, a reader for what is written.

use std::fmt;

use crate::figures::{format_duration, format_rate, pluralise};
use crate::plan::names::list_names;

/// What is to be said about reads and writes together.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkloadTopic {
    /// A statement needs parameters that nobody supplies.
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
        /// Tombstones that each poll meets.
        tombstones: f64,
        /// How often the write runs, per second.
        rate: f64,
        /// Seconds that tombstones stay.
        grace: f64,
    },
}

impl fmt::Display for WorkloadTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingParameters { statement, parameters } => write!(
                f,
                "`{statement}` needs {}, which no step before it returns and no user types",
                list_names(parameters)
            ),
            Self::MissedWrites { read, level, writes, write_level, copies } => {
                let copies: Vec<String> =
                    copies.iter().map(|(name, copies)| format!("{copies} in {name}")).collect();
                write!(
                    f,
                    "`{read}` reads at {level} and may miss what {} wrote at {write_level}: together they do not ask more than the copies ({})",
                    list_names(writes),
                    copies.join(", ")
                )
            }
            Self::LocalLevels => f.write_str(
                "readers and writers of the same rows work in the same datacenter: in another one a write at a local level is seen a moment later",
            ),
            Self::StoredNowhere { entity, writes } => write!(
                f,
                "`{entity}` is written by {} and read by no query: no table stores it",
                list_names(writes)
            ),
            Self::Queue { read, write, tombstones, rate: often, grace } => write!(
                f,
                "`{read}` and `{write}` are a queue: each poll would meet {} (deletes of {} over {}), and Cassandra fails a read at 100k",
                pluralise(*tombstones, "tombstone"),
                format_rate(*often),
                format_duration(*grace)
            ),
        }
    }
}

impl WorkloadTopic {
    /// What to do about it.
    pub(super) const fn help(&self) -> &'static str {
        match self {
            Self::MissingParameters { .. } => {
                "name the step that returns it with @after, and select it there"
            }
            Self::MissedWrites { .. } => {
                "give the read, or the writes, @consistency local_quorum on both sides"
            }
            Self::LocalLevels => "write at each_quorum what must be seen everywhere at once",
            Self::StoredNowhere { .. } => {
                "add the query that reads it, or leave out what writes it"
            }
            Self::Queue { .. } => {
                "use a message broker; or keep the rows with @retain instead of deleting them and read on from the last position; or update a status by key instead"
            }
        }
    }
}
