//! What is wrong in a trace and what to change, in words.

use doctor::trace::analysis::TraceCause;
use doctor::trace::{FailureStep, Trace};

use super::cut;
use super::facts::{group_digits, plural};
use super::phase_text::micros;

/// A cause in words.
pub(super) struct CauseText {
    /// What was found, with the figure and the limit.
    pub(super) found: String,
    /// What to change.
    pub(super) change: String,
}

/// Describes a cause.
pub(super) fn describe(trace: &Trace, cause: &TraceCause) -> CauseText {
    let text = |found: String, change: &str| CauseText { found, change: change.to_owned() };
    match cause {
        TraceCause::Failed(failure) => describe_failure(failure),
        TraceCause::Tombstones { .. }
        | TraceCause::ManySstables { .. }
        | TraceCause::FalsePositives { .. }
        | TraceCause::LargePartition { .. } => describe_storage(cause),
        TraceCause::Scan { .. }
        | TraceCause::IndexOnAllNodes { .. }
        | TraceCause::ManyPartitions { .. } => describe_access(cause),
        TraceCause::ReplicasDiffer { mismatches } => text(
            format!(
                "replicas gave different answers ({}): they were read again and repaired before the answer",
                plural(*mismatches, "digest mismatch")
            ),
            "run repair within gc_grace_seconds, and find out why writes do not reach a replica (dropped messages, a node that was down, writes at ONE).",
        ),
        TraceCause::Speculation { retries } => text(
            format!(
                "{}: the replica that was asked first was slow",
                plural(*retries, "speculative retry")
            ),
            "look at the load, garbage collection and compaction of that replica.",
        ),
        TraceCause::RequestedAgain { times } => text(
            format!(
                "rows were requested again from replicas ({}), because deleted or filtered rows could have hidden others",
                plural(*times, "time")
            ),
            "avoid deletes under LIMIT reads, and filtering or indexes at consistency levels above ONE; run repair.",
        ),
        TraceCause::Contention { attempts } => text(
            format!(
                "the lightweight transaction took {}: others on the same partition were under way",
                plural(*attempts, "attempt")
            ),
            "let fewer clients use conditions on one partition: a narrower partition key, or one writer for each key; retry with backoff.",
        ),
        TraceCause::WaitedFor { node, micros: time } => text(
            format!("{} passed in waiting for {node}", micros(*time)),
            "the events of that node say what it did in this time; if it has none, its network, thread pools (nodetool tpstats) or garbage collection delayed it.",
        ),
        TraceCause::Unaccounted { after, before, micros: time } => {
            let found = format!(
                "{} without an event{}",
                micros(*time),
                describe_place(trace, *after, *before)
            );
            text(
                found,
                "nothing in the trace says what happened. Compare with GC logs and nodetool tpstats of the node; a first run after a start also loads classes and compiles.",
            )
        }
        TraceCause::Hinted { hints } => text(
            format!("{} for nodes that did not answer", plural(*hints, "hint")),
            "bring the nodes back within max_hint_window, then repair.",
        ),
        TraceCause::ClockSkew { node, micros: time } => text(
            format!(
                "the clock of {node} differs by at least {} from the coordinator's",
                micros(*time)
            ),
            "synchronise clocks (NTP): the timestamps of writes decide which of them wins.",
        ),
    }
}

fn describe_storage(cause: &TraceCause) -> CauseText {
    let text = |found: String, change: &str| CauseText { found, change: change.to_owned() };
    match cause {
        TraceCause::Tombstones { live, tombstones, aborted } => {
            let met = if *aborted {
                format!("the server aborted the read after {}", plural(*tombstones, "tombstone"))
            } else {
                format!("{} for {}", plural(*tombstones, "tombstone"), plural(*live, "live row"))
            };
            text(
                format!(
                    "{met} (the server warns at 1,000 and aborts at 100,000: tombstone_warn_threshold, tombstone_failure_threshold)"
                ),
                "rows are read where others were deleted. Begin the read behind them (a range on the first clustering column), put the time into the partition key so that old partitions are not read any more, or expire rows by TTL with TimeWindowCompactionStrategy instead of deleting them. A queue does not belong in Cassandra.",
            )
        }
        TraceCause::ManySstables { sstables } => text(
            format!(
                "one read merged {} (from 5 on, compaction does not keep a partition together)",
                plural(*sstables, "SSTable")
            ),
            "look at nodetool compactionstats and tablehistograms; use LeveledCompactionStrategy (or UnifiedCompactionStrategy with L4 or more) for rows that are updated and read often, and time buckets for time series.",
        ),
        TraceCause::FalsePositives { sstables } => text(
            format!(
                "{} read in vain: the Bloom filter let them through",
                plural(*sstables, "SSTable")
            ),
            "lower bloom_filter_fp_chance, then rewrite the files (nodetool upgradesstables -a).",
        ),
        TraceCause::LargePartition { index_entries } => text(
            format!(
                "the partition has {} in its row index (one for each column_index_size, 4 KB to 64 KB): it is large",
                plural(*index_entries, "entry")
            ),
            "put a bucket of time or a shard into the partition key: `helenus estimate` sizes it.",
        ),
        _ => text(String::new(), ""),
    }
}

fn describe_access(cause: &TraceCause) -> CauseText {
    let text = |found: String, change: &str| CauseText { found, change: change.to_owned() };
    match cause {
        TraceCause::Scan { ranges, rows } => {
            let rows =
                rows.map(|rows| format!(", {} so far", plural(rows, "row"))).unwrap_or_default();
            text(
                format!("the statement scans the table: {}{rows}", plural(*ranges, "token range")),
                "write a table for this query, whose partition key is what the query knows; `helenus explain --schema` prints its CQL. Scans over all rows belong in Spark or an export by token ranges.",
            )
        }
        TraceCause::IndexOnAllNodes { names, ranges } => text(
            format!(
                "the index {names} was searched without a partition key, over {}: on every node of a larger cluster",
                plural(*ranges, "token range")
            ),
            "add the partition key to WHERE, or write a table whose partition key is the indexed column.",
        ),
        TraceCause::ManyPartitions { partitions } => text(
            format!(
                "{} read by one request (more than 16 warns, 100 is a scan): one coordinator holds all of them",
                plural(*partitions, "partition")
            ),
            "send one prepared statement for each key, in parallel and token-aware, or store together what is read together.",
        ),
        _ => text(String::new(), ""),
    }
}

fn describe_failure(failure: &FailureStep) -> CauseText {
    let text = |found: String, change: &str| CauseText { found, change: change.to_owned() };
    match failure {
        FailureStep::TimedOut { received: Some(received), required: Some(required) } => text(
            format!(
                "timed out with {} of {} answers",
                group_digits(*received),
                group_digits(*required)
            ),
            "the slow step above is what the timeout waited for: make it smaller instead of the timeout longer.",
        ),
        FailureStep::TimedOut { .. } => text(
            "timed out".to_owned(),
            "the slow step above is what the timeout waited for: make it smaller instead of the timeout longer.",
        ),
        FailureStep::ReplicasFailed { received, required } => text(
            format!(
                "replicas failed: {} of {} answers",
                group_digits(*received),
                group_digits(*required)
            ),
            "the replica says why in its own events above and in its log.",
        ),
        FailureStep::Unavailable => text(
            "too few replicas are alive for the consistency level".to_owned(),
            "see nodetool status; LOCAL_QUORUM needs two of three replicas.",
        ),
        FailureStep::Overloaded => text(
            "the node refused the request: too many are waiting".to_owned(),
            "limit the requests in flight of the clients.",
        ),
        FailureStep::Discarded => text(
            "a node dropped the request, because it was older than its timeout".to_owned(),
            "see the dropped messages in nodetool tpstats: the node has more work than it can do.",
        ),
        FailureStep::Exception => text(
            "a thread failed with an exception".to_owned(),
            "the log of the node has it with its stack.",
        ),
        FailureStep::BatchSize => text(
            "the batch exceeds the size limit (batch_size_warn_threshold, 5 KiB)".to_owned(),
            "send statements one by one; batch only rows of one partition or copies of one fact.",
        ),
        FailureStep::FilteringProtectionLimit => text(
            "replica filtering protection holds too many rows on the coordinator".to_owned(),
            "run repair, or do not filter at a consistency level above ONE.",
        ),
    }
}

fn describe_place(trace: &Trace, after: Option<usize>, before: Option<usize>) -> String {
    let sentence = |event: usize| trace.events.get(event).map(|event| cut(&event.sentence, 60));
    match (after.and_then(sentence), before.and_then(sentence)) {
        (Some(after), Some(before)) => format!(", between \"{after}\" and \"{before}\""),
        (Some(after), None) => format!(", after \"{after}\""),
        (None, Some(before)) => format!(", before \"{before}\""),
        (None, None) => String::new(),
    }
}
