//! The activities of a trace, in the server's words.

use std::fmt;

/// Something that a traced statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// The text is read.
    Parse {
        /// The text.
        text: String,
    },
    /// The statement is bound.
    Prepare,
    /// A read looks for the partitions to ask.
    ComputeRanges,
    /// A read asks one partition.
    QueryPartition {
        /// Of this table.
        table: String,
    },
    /// A write looks for its replicas.
    DetermineReplicas,
    /// A batch looks for its replicas.
    DetermineBatchReplicas,
    /// What is in memory is read.
    MergeMemtables,
    /// A read is done.
    Read {
        /// The rows that it found.
        rows: usize,
    },
    /// A write goes to the log.
    AppendToCommitlog,
    /// A write goes to memory.
    AddToMemtable {
        /// Of this table.
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
