//! What makes a request slow or dangerous, each with the figure and the limit that decide.

use super::TraceAnalysis;
use crate::trace::event::Trace;
use crate::trace::phase::PhaseKind;
use crate::trace::step::{FailureStep, MessageStep, SstableUse, Step};

/// `tombstone_warn_threshold` of Cassandra.
const TOMBSTONES_WARN: u64 = 1_000;
/// `tombstone_failure_threshold` of Cassandra: the read is aborted.
const TOMBSTONES_FAIL: u64 = 100_000;
/// `SSTable`s of one read from which it is slow: compaction should leave fewer.
const SSTABLES_WATCH: u64 = 5;
/// `SSTable`s of one read that compaction does not keep up with.
const SSTABLES_DANGEROUS: u64 = 15;
/// Partitions of one request that warn, and that are a scan (`helenus design` uses the same).
const PARTITIONS_WATCH: u64 = 16;
const PARTITIONS_DANGEROUS: u64 = 100;
/// Entries in the row index of a partition: at the 64 KB of `column_index_size` in 3.11 to 4.0 and
/// of a node without setting, 10 MB and 100 MB.
const INDEX_ENTRIES_WATCH: u64 = 160;
const INDEX_ENTRIES_DANGEROUS: u64 = 1_600;
/// A gap or a wait is named if it takes this part of the request, and these microseconds.
const GAP_SHARE: u64 = 4;
const GAP_MICROS: u64 = 5_000;
/// Clocks that differ by more than these microseconds are named.
const SKEW_MICROS: i64 = 5_000;

/// How bad something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing to do.
    #[default]
    Fine,
    /// Slow, or about to be.
    Watch,
    /// It fails, or will.
    Dangerous,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceCause {
    /// The request failed.
    Failed(FailureStep),
    /// Reads meet tombstones.
    Tombstones {
        /// Live rows.
        live: u64,
        /// Tombstones.
        tombstones: u64,
        /// Whether the server aborted the read.
        aborted: bool,
    },
    /// A read merges many `SSTable`s.
    ManySstables {
        /// The `SSTable`s.
        sstables: u64,
    },
    /// Bloom filters let `SSTable`s through that do not have the partition.
    FalsePositives {
        /// Those `SSTable`s.
        sstables: u64,
    },
    /// A partition is large.
    LargePartition {
        /// Entries in its row index.
        index_entries: u64,
    },
    /// Whole token ranges are read.
    Scan {
        /// The ranges.
        ranges: u64,
        /// Rows that were read, if reported.
        rows: Option<u64>,
    },
    /// An index is searched on all ranges, so on all nodes.
    IndexOnAllNodes {
        /// The indexes.
        names: String,
        /// The ranges.
        ranges: u64,
    },
    /// Many partitions are read by one request.
    ManyPartitions {
        /// The partitions.
        partitions: u64,
    },
    /// Replicas have different rows.
    ReplicasDiffer {
        /// Answers that differed.
        mismatches: u64,
    },
    /// Other replicas had to be asked.
    Speculation {
        /// How often.
        retries: u64,
    },
    /// Rows were requested again to be sure of the answer.
    RequestedAgain {
        /// How often.
        times: u64,
    },
    /// Transactions on the same partition compete.
    Contention {
        /// Attempts.
        attempts: u64,
    },
    /// A replica was waited for.
    WaitedFor {
        /// The replica.
        node: String,
        /// Microseconds.
        micros: u64,
    },
    /// Time that no event accounts for.
    Unaccounted {
        /// The last event before it.
        after: Option<usize>,
        /// The first event after it.
        before: Option<usize>,
        /// Microseconds.
        micros: u64,
    },
    /// Nodes that are down.
    Hinted {
        /// Writes that were kept for them.
        hints: u64,
    },
    /// The clocks of nodes disagree.
    ClockSkew {
        /// The node.
        node: String,
        /// Microseconds.
        micros: u64,
    },
}

/// A cause with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceProblem {
    /// How bad it is.
    pub verdict: Verdict,
    /// What it is.
    pub cause: TraceCause,
}

/// Everything that is wrong, the worst first.
pub(super) fn find_problems(trace: &Trace, analysis: &TraceAnalysis) -> Vec<TraceProblem> {
    let mut problems = Vec::new();
    let mut add = |verdict, cause| problems.push(TraceProblem { verdict, cause });
    for failure in &analysis.failures {
        add(Verdict::Dangerous, TraceCause::Failed(failure.clone()));
    }
    add_read_problems(analysis, &mut add);
    add_cluster_problems(trace, analysis, &mut add);
    add_waits(analysis, &mut add);
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.verdict));
    problems
}

fn add_read_problems(analysis: &TraceAnalysis, add: &mut impl FnMut(Verdict, TraceCause)) {
    let reads = &analysis.reads;
    let live = reads.live.unwrap_or_default();
    let tombstones = reads.tombstones.max(reads.aborted).unwrap_or_default();
    if tombstones >= TOMBSTONES_WARN {
        let aborted = reads.aborted.is_some();
        let is_near = aborted || tombstones >= TOMBSTONES_FAIL / 10;
        let verdict = if is_near { Verdict::Dangerous } else { Verdict::Watch };
        add(verdict, TraceCause::Tombstones { live, tombstones, aborted });
    }
    let mut grade = |figure: u64, watch: u64, dangerous: u64, cause: TraceCause| {
        if figure >= watch {
            let verdict = if figure >= dangerous { Verdict::Dangerous } else { Verdict::Watch };
            add(verdict, cause);
        }
    };
    let sstables = reads.sstables_max.unwrap_or_default();
    let is_scan = analysis.phases.iter().any(|phase| phase.kind == PhaseKind::Scan);
    if !is_scan {
        let cause = TraceCause::ManySstables { sstables };
        grade(sstables, SSTABLES_WATCH, SSTABLES_DANGEROUS, cause);
    }
    let wrong = reads.sstables.get(&SstableUse::FalsePositive).copied().unwrap_or_default();
    grade(wrong, 3, u64::MAX, TraceCause::FalsePositives { sstables: wrong });
    let index_entries = reads.index_entries_max.unwrap_or_default();
    let cause = TraceCause::LargePartition { index_entries };
    grade(index_entries, INDEX_ENTRIES_WATCH, INDEX_ENTRIES_DANGEROUS, cause);
    if !is_scan {
        let reads = analysis.phases.iter();
        let named = reads.filter(|phase| matches!(phase.kind, PhaseKind::ReadPartition(_)));
        let partitions = named.map(|phase| phase.reads.partitions).sum();
        let cause = TraceCause::ManyPartitions { partitions };
        grade(partitions, PARTITIONS_WATCH, PARTITIONS_DANGEROUS, cause);
    }
    if let Some(ranges) = analysis.ranges {
        if is_scan {
            add(Verdict::Dangerous, TraceCause::Scan { ranges: ranges.ranges, rows: reads.live });
        } else if !analysis.indexes.is_empty() {
            let names = analysis.indexes.iter().cloned().collect::<Vec<_>>().join(", ");
            add(Verdict::Watch, TraceCause::IndexOnAllNodes { names, ranges: ranges.ranges });
        }
    }
}

fn add_cluster_problems(
    trace: &Trace,
    analysis: &TraceAnalysis,
    add: &mut impl FnMut(Verdict, TraceCause),
) {
    let replicas = &analysis.replicas;
    if replicas.mismatches > 0 {
        let mismatches = replicas.mismatches;
        add(Verdict::Watch, TraceCause::ReplicasDiffer { mismatches });
    }
    if replicas.speculative > 0 {
        add(Verdict::Watch, TraceCause::Speculation { retries: replicas.speculative });
    }
    let again = trace.events.iter().filter(|event| {
        matches!(
            event.step,
            Step::Message(MessageStep::ShortRead { .. } | MessageStep::FilteringProtection { .. })
        )
    });
    let times = u64::try_from(again.count()).unwrap_or(u64::MAX);
    if times > 0 {
        add(Verdict::Watch, TraceCause::RequestedAgain { times });
    }
    if let Some(paxos) = analysis.paxos
        && (paxos.attempts > 1 || paxos.contention > 0 || paxos.finished_others > 0)
    {
        let verdict = if paxos.attempts > 3 { Verdict::Dangerous } else { Verdict::Watch };
        add(verdict, TraceCause::Contention { attempts: paxos.attempts });
    }
    if analysis.hints > 0 {
        add(Verdict::Watch, TraceCause::Hinted { hints: analysis.hints });
    }
    for (node, micros) in &analysis.timeline.skews {
        if micros.abs() >= SKEW_MICROS {
            let micros = micros.unsigned_abs();
            add(Verdict::Watch, TraceCause::ClockSkew { node: node.clone(), micros });
        }
    }
}

/// Waits for a replica, and the longest gap.
fn add_waits(analysis: &TraceAnalysis, add: &mut impl FnMut(Verdict, TraceCause)) {
    let is_long = |micros: u64| {
        micros >= GAP_MICROS && micros.saturating_mul(GAP_SHARE) >= analysis.timeline.total
    };
    let mut waits = std::collections::BTreeMap::<&str, u64>::new();
    for gap in &analysis.timeline.gaps {
        for node in &gap.waiting_for {
            *waits.entry(node).or_default() += gap.end - gap.start;
        }
    }
    for (node, micros) in waits {
        if is_long(micros) {
            add(Verdict::Watch, TraceCause::WaitedFor { node: node.to_owned(), micros });
        }
    }
    let gaps = analysis.timeline.gaps.iter().filter(|gap| gap.waiting_for.is_empty());
    if let Some(gap) = gaps.max_by_key(|gap| gap.end - gap.start)
        && is_long(gap.end - gap.start)
    {
        let micros = gap.end - gap.start;
        let cause = TraceCause::Unaccounted { after: gap.after, before: gap.before, micros };
        add(Verdict::Watch, cause);
    }
}
