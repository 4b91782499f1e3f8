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
    SubmitRanges {
        /// How many there are: the ranges of the ring between the tokens of nodes.
        ranges: usize,
        /// Whether a storage-attached index is searched, for which no number of rows is expected.
        has_index_view: bool,
        /// Whether the table has columns outside its key.
        has_values: bool,
    },
    /// All requests of a scan have been sent.
    RangesSubmitted,
    /// Reading a range of the ring.
    ScanRange {
        /// The bounds.
        from: String,
        to: String,
    },
    /// Choosing an index.
    ChooseIndex {
        /// The indexes that can be searched, and how many rows are expected of each value.
        estimates: String,
        /// Those that are searched.
        indexes: String,
    },
    /// Reading through an index.
    ReadIndex {
        /// The qualified name of the table.
        table: String,
        /// The names of the indexes.
        indexes: Vec<String>,
    },
    /// The end of a search by storage-attached indexes.
    IndexSearched {
        /// The rows that were read and filtered.
        rows: u64,
        /// Their partitions.
        partitions: u64,
        /// The time of the search.
        micros: u64,
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
        /// The update.
        update: String,
    },
    /// The last round of a conditional write.
    CommitProposal {
        /// The time of its ballot, in units of 100 ns since 1582.
        ticks: u64,
        /// Its ballot.
        ballot: String,
        /// The update.
        update: String,
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
    ConditionNotMet {
        /// The rows that were read.
        partition: String,
    },
    /// A conditional write was applied.
    ConditionalWriteApplied,
    /// A conditional write was not applied.
    ConditionalWriteSkipped,
    /// Waiting for the locks of counters.
    AcquireCounterLocks,
    /// Looking for the values of counters in the cache of the server.
    FetchCounters {
        /// Their number.
        count: usize,
    },
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
    /// An activity on another thread than usual.
    OnThread {
        /// The name of the thread.
        thread: &'static str,
        /// The activity.
        activity: Box<Activity>,
    },
}

impl Activity {
    /// The same activity on another thread.
    pub(crate) fn move_to_thread(self, thread: &'static str) -> Self {
        Self::OnThread { thread, activity: Box::new(self) }
    }

    /// The thread of the server that would do it.
    pub(crate) fn thread(&self) -> &'static str {
        match self {
            Self::ScanRange { .. }
            | Self::ReadIndex { .. }
            | Self::IndexSearched { .. }
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
            Self::AcquireCounterLocks | Self::FetchCounters { .. } | Self::ReadCounters { .. } => {
                "CounterMutationStage-1"
            }
            Self::OnThread { thread, .. } => thread,
            Self::Parse { .. }
            | Self::Prepare
            | Self::NoIndex
            | Self::ComputeRanges
            | Self::ChooseIndex { .. }
            | Self::SubmitRanges { .. }
            | Self::RangesSubmitted
            | Self::DetermineReplicas
            | Self::DetermineBatchReplicas
            | Self::PreparePaxos { .. }
            | Self::ReadForCondition
            | Self::ConditionMet { .. }
            | Self::ConditionNotMet { .. }
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
            Self::SubmitRanges { ranges, has_index_view: true, .. } => {
                return write!(
                    f,
                    "Submitting range requests on {ranges} ranges with a concurrency of {ranges}"
                );
            }
            // Rows are expected by the numbers of cells and columns in files, of which there are none.
            Self::SubmitRanges { ranges, has_values, .. } => {
                let expected = if *has_values { "0.0" } else { "NaN" };
                return write!(
                    f,
                    "Submitting range requests on {ranges} ranges with a concurrency of 1 ({expected} rows per range expected)"
                );
            }
            Self::ChooseIndex { estimates, indexes } => {
                return write!(
                    f,
                    "Index mean cardinalities are {estimates}. Scanning with {indexes}."
                );
            }
            Self::RangesSubmitted => "Submitted 1 concurrent range requests",
            Self::ScanRange { from, to } => {
                return write!(f, "Executing seq scan across 0 sstables for ({from}, {to}]");
            }
            Self::ReadIndex { table, indexes } => {
                let noun = if indexes.len() == 1 { "index" } else { "indexes" };
                return write!(f, "Executing read on {table} using {noun} {}", indexes.join(","));
            }
            Self::IndexSearched { rows, partitions, micros } => {
                let plural = |count: &u64| if *count == 1 { "" } else { "s" };
                return write!(
                    f,
                    "Index query accessed memtable indexes, 0 SSTable indexes, and 0 segments, post-filtered {rows} row{} in {partitions} partition{}, and took {micros} microseconds.",
                    plural(rows),
                    plural(partitions)
                );
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
            Self::OnThread { activity, .. } => return activity.fmt(f),
            _ => return self.write_mutation(f),
        })
    }
}

impl Activity {
    /// What happens in a write.
    fn write_mutation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DetermineReplicas => "Determining replicas for mutation",
            Self::DetermineBatchReplicas => "Determining replicas for atomic batch",
            Self::ReadForCondition => "Reading existing values for CAS precondition",
            Self::PreparePaxos { ballot } => return write!(f, "Preparing {ballot}"),
            Self::PromiseBallot { ballot } => return write!(f, "Promising ballot {ballot}"),
            Self::AcceptProposal { ticks, ballot, update } => {
                return write!(f, "Accepting proposal Accepted({ticks}:{ballot}, {update})");
            }
            Self::CommitProposal { ticks, ballot, update } => {
                return write!(f, "Committing proposal Committed({ticks}:{ballot}, {update})");
            }
            Self::DeriveViews => "Creating materialized view mutations from base table replica",
            Self::ConditionMet { ballot } => {
                return write!(
                    f,
                    "CAS precondition is met; proposing client-requested updates for {ballot}"
                );
            }
            Self::ConditionNotMet { partition } => {
                return write!(f, "CAS precondition does not match current values {partition}");
            }
            Self::ConditionalWriteApplied => "CAS applied successfully",
            Self::ConditionalWriteSkipped => "CAS did not apply",
            Self::AcquireCounterLocks => "Acquiring counter locks",
            Self::FetchCounters { count } => {
                return write!(f, "Fetching {count} counter values from cache");
            }
            Self::ReadCounters { count } => {
                return write!(f, "Reading {count} counter values from the CF");
            }
            Self::AppendToCommitlog => "Appending to commitlog",
            Self::AddToMemtable { table } => return write!(f, "Adding to {table} memtable"),
            _ => "",
        })
    }
}
