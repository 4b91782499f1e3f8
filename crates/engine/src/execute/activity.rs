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
    /// A filter that no index serves.
    NoIndex,
    /// Computing the token ranges of a scan.
    ComputeRanges,
    /// Sending the requests of a scan.
    SubmitRanges,
    /// All requests of a scan have been sent.
    RangesSubmitted,
    /// Reading a range of the ring.
    ScanRange {
        /// The bounds.
        from: String,
        to: String,
    },
    /// Reading through an index.
    ReadIndex {
        /// The qualified name of the table.
        table: String,
        /// The name of the index.
        index: String,
    },
    /// Reading one partition.
    QueryPartition {
        /// The name of the table.
        table: String,
    },
    /// Looking for files; there are none.
    AcquireSstables,
    /// Skipping files outside the slice; there are none.
    SkipSstables,
    /// Reading named rows from memory.
    MergeMemtables,
    /// Slices have been read from memory.
    SlicesMerged,
    /// The end of a read.
    Read {
        /// The number of live rows.
        rows: u64,
        /// The number of tombstones: of cells, rows and the ends of ranges.
        tombstones: u64,
    },
    /// Determining the replicas of a write.
    DetermineReplicas,
    /// Determining the replicas of a logged batch of several partitions.
    DetermineBatchReplicas,
    /// Starting the rounds of a conditional write.
    PreparePaxos {
        /// Its ballot.
        ballot: String,
    },
    /// The first round of a conditional write.
    PromiseBallot {
        /// Its ballot.
        ballot: String,
    },
    /// The second round of a conditional write.
    AcceptProposal {
        /// The time of its ballot, in units of 100 ns since 1582.
        ticks: u64,
        /// Its ballot.
        ballot: String,
    },
    /// The last round of a conditional write.
    CommitProposal {
        /// The time of its ballot, in units of 100 ns since 1582.
        ticks: u64,
        /// Its ballot.
        ballot: String,
    },
    /// Computing the writes to the views of a table.
    DeriveViews,
    /// Reading what the condition of a write is about.
    ReadForCondition,
    /// The condition of a write holds.
    ConditionMet {
        /// Its ballot.
        ballot: String,
    },
    /// The condition of a write does not hold.
    ConditionNotMet,
    /// A conditional write was applied.
    ConditionalWriteApplied,
    /// A conditional write was not applied.
    ConditionalWriteSkipped,
    /// Waiting for the locks of counters.
    AcquireCounterLocks,
    /// Reading the values of counters.
    ReadCounters {
        /// Their number.
        count: usize,
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
            Self::ScanRange { .. }
            | Self::ReadIndex { .. }
            | Self::QueryPartition { .. }
            | Self::AcquireSstables
            | Self::SkipSstables
            | Self::MergeMemtables
            | Self::SlicesMerged
            | Self::Read { .. } => "ReadStage-1",
            Self::AppendToCommitlog
            | Self::AddToMemtable { .. }
            | Self::PromiseBallot { .. }
            | Self::AcceptProposal { .. }
            | Self::CommitProposal { .. }
            | Self::DeriveViews => "MutationStage-1",
            Self::AcquireCounterLocks | Self::ReadCounters { .. } => "CounterMutationStage-1",
            Self::Parse { .. }
            | Self::Prepare
            | Self::NoIndex
            | Self::ComputeRanges
            | Self::SubmitRanges
            | Self::RangesSubmitted
            | Self::DetermineReplicas
            | Self::DetermineBatchReplicas
            | Self::PreparePaxos { .. }
            | Self::ReadForCondition
            | Self::ConditionMet { .. }
            | Self::ConditionNotMet
            | Self::ConditionalWriteApplied
            | Self::ConditionalWriteSkipped => "Native-Transport-Requests-1",
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parse { text } => return write!(f, "Parsing {text}"),
            Self::Prepare => "Preparing statement",
            Self::NoIndex => "No applicable indexes found",
            Self::ComputeRanges => "Computing ranges to query",
            Self::SubmitRanges => "Submitting range requests on 1 ranges with a concurrency of 1",
            Self::RangesSubmitted => "Submitted 1 concurrent range requests",
            Self::ScanRange { from, to } => {
                return write!(f, "Executing seq scan across 0 sstables for ({from}, {to}]");
            }
            Self::ReadIndex { table, index } => {
                return write!(f, "Executing read on {table} using index {index}");
            }
            Self::QueryPartition { table } => {
                return write!(f, "Executing single-partition query on {table}");
            }
            Self::AcquireSstables => "Acquiring sstable references",
            Self::SkipSstables => {
                "Skipped 0/0 non-slice-intersecting sstables, included 0 due to tombstones"
            }
            Self::MergeMemtables => "Merging memtable contents",
            Self::SlicesMerged => "Merged data from memtables and 0 sstables",
            Self::Read { rows, tombstones } => {
                return write!(f, "Read {rows} live rows and {tombstones} tombstone cells");
            }
            Self::DetermineReplicas => "Determining replicas for mutation",
            Self::DetermineBatchReplicas => "Determining replicas for atomic batch",
            Self::ReadForCondition => "Reading existing values for CAS precondition",
            Self::PreparePaxos { ballot } => return write!(f, "Preparing {ballot}"),
            Self::PromiseBallot { ballot } => return write!(f, "Promising ballot {ballot}"),
            Self::AcceptProposal { ticks, ballot } => {
                return write!(f, "Accepting proposal Accepted({ticks}:{ballot})");
            }
            Self::CommitProposal { ticks, ballot } => {
                return write!(f, "Committing proposal Committed({ticks}:{ballot})");
            }
            Self::DeriveViews => "Creating materialized view mutations from base table replica",
            Self::ConditionMet { ballot } => {
                return write!(
                    f,
                    "CAS precondition is met; proposing client-requested updates for {ballot}"
                );
            }
            Self::ConditionNotMet => "CAS precondition does not match current values",
            Self::ConditionalWriteApplied => "CAS applied successfully",
            Self::ConditionalWriteSkipped => "CAS did not apply",
            Self::AcquireCounterLocks => "Acquiring counter locks",
            Self::ReadCounters { count } => {
                return write!(f, "Reading {count} counter values from the CF");
            }
            Self::AppendToCommitlog => "Appending to commitlog",
            Self::AddToMemtable { table } => return write!(f, "Adding to {table} memtable"),
        })
    }
}
