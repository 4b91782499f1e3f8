//! The activities of a trace, with the server's texts.

use std::fmt;

/// An activity of a traced statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// Parsing the statement.
    Parse {
        /// The text of the statement.
        text: String,
    },
    /// Binding the statement.
    Prepare,
    /// Computing the token ranges of a scan.
    ComputeRanges,
    /// Reading one partition.
    QueryPartition {
        /// The name of the table.
        table: String,
    },
    /// Determining the replicas of a write.
    DetermineReplicas,
    /// Determining the replicas of a logged batch.
    DetermineBatchReplicas,
    /// Reading from memory.
    MergeMemtables,
    /// The end of a read.
    Read {
        /// The number of live rows.
        rows: usize,
    },
    /// Appending a write to the log.
    AppendToCommitlog,
    /// Applying a write to memory.
    AddToMemtable {
        /// The name of the table.
        table: String,
    },
}

impl Activity {
    /// The thread of the server that would do it.
    pub(crate) fn thread(&self) -> &'static str {
        match self {
            Self::QueryPartition { .. } | Self::MergeMemtables | Self::Read { .. } => "ReadStage-1",
            Self::AppendToCommitlog | Self::AddToMemtable { .. } => "MutationStage-1",
            Self::Parse { .. }
            | Self::Prepare
            | Self::ComputeRanges
            | Self::DetermineReplicas
            | Self::DetermineBatchReplicas => "Native-Transport-Requests-1",
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse { text } => write!(f, "Parsing {text}"),
            Self::Prepare => f.write_str("Preparing statement"),
            Self::ComputeRanges => f.write_str("Computing ranges to query"),
            Self::QueryPartition { table } => {
                write!(f, "Executing single-partition query on {table}")
            }
            Self::DetermineReplicas => f.write_str("Determining replicas for mutation"),
            Self::DetermineBatchReplicas => f.write_str("Determining replicas for atomic batch"),
            Self::MergeMemtables => f.write_str("Merging memtable contents"),
            Self::Read { rows } => write!(f, "Read {rows} live rows and 0 tombstone cells"),
            Self::AppendToCommitlog => f.write_str("Appending to commitlog"),
            Self::AddToMemtable { table } => write!(f, "Adding to {table} memtable"),
        }
    }
}
