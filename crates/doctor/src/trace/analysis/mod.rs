//! [`TraceAnalysis`]: what a request did, what was slow, and why.

mod causes;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::event::Trace;
use super::phase::{Phase, ReadTotals, find_phases};
use super::step::{
    FailureStep, IndexStep, MessageStep, PaxosStep, RangeStep, ReadKind, Step, WriteStep,
};
use super::timeline::{Timeline, coordinator};

pub use causes::{TraceCause, TraceProblem, Verdict};

/// The work of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeWork {
    /// Its events.
    pub events: u64,
    /// The time that is its alone, in microseconds.
    pub own: u64,
    /// Live rows of its reads, if it reported some.
    pub live: Option<u64>,
    /// Tombstones of its reads, likewise.
    pub tombstones: Option<u64>,
}

/// The replicas of a read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaUse {
    /// Nodes that were asked for rows.
    pub data: BTreeSet<String>,
    /// Nodes that were asked for a digest.
    pub digest: BTreeSet<String>,
    /// Nodes that were asked because others were slow.
    pub speculative: u64,
    /// Answers that differed.
    pub mismatches: u64,
    /// Replicas that were sent what they lacked.
    pub repaired: BTreeSet<String>,
}

/// The token ranges of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RangeUse {
    /// The ranges that were to be read.
    pub ranges: u64,
    /// How many of them at the same time, at first.
    pub concurrency: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Rounds of requests: more than one if the first ranges had too few rows, or for each page of
    /// an aggregate.
    pub rounds: u64,
}

/// The rounds of a lightweight transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaxosUse {
    /// Attempts: each asks the replicas for promises.
    pub attempts: u64,
    /// Attempts that another transaction on the partition defeated.
    pub contention: u64,
    /// Unfinished transactions of others that had to be completed first.
    pub finished_others: u64,
    /// Whether the condition held; `None` if the trace does not tell.
    pub applied: Option<bool>,
}

/// What a trace shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceAnalysis {
    /// The address of the coordinator.
    pub coordinator: String,
    /// The events on one axis.
    pub timeline: Timeline,
    /// What took time, by start.
    pub phases: Vec<Phase>,
    /// The nodes that took part.
    pub nodes: BTreeMap<String, NodeWork>,
    /// What the reads met, all together.
    pub reads: ReadTotals,
    /// The replicas of the read.
    pub replicas: ReplicaUse,
    /// The token ranges of the read, if it was over ranges.
    pub ranges: Option<RangeUse>,
    /// The indexes that were used.
    pub indexes: BTreeSet<String>,
    /// Rows that a storage-attached index read and tested.
    pub rows_tested: Option<u64>,
    /// The rounds, if it was a lightweight transaction.
    pub paxos: Option<PaxosUse>,
    /// Whether the batch log was written.
    pub has_batch_log: bool,
    /// Nodes for which writes were kept because they were down.
    pub hints: u64,
    /// Failures, in order.
    pub failures: Vec<FailureStep>,
    /// The event that accounts for the most time, and its microseconds.
    pub slowest: Option<(usize, u64)>,
    /// Time that no event accounts for, in microseconds.
    pub unaccounted: u64,
    /// Events with sentences that are not known.
    pub unknown: u64,
    /// What is wrong, the worst first.
    pub problems: Vec<TraceProblem>,
}

/// Analyses a trace.
pub fn analyse(trace: &Trace) -> TraceAnalysis {
    let timeline = Timeline::new(trace);
    let phases = find_phases(trace, &timeline);
    let mut analysis =
        TraceAnalysis { coordinator: coordinator(trace), phases, ..TraceAnalysis::default() };
    for event in &trace.events {
        analysis.add(&event.step);
        analysis.nodes.entry(event.source.clone()).or_default().events += 1;
    }
    for activity in &timeline.activities {
        let source = trace.events.get(activity.event).map(|event| &event.source);
        if let Some(node) = source.and_then(|source| analysis.nodes.get_mut(source)) {
            node.own += activity.own;
        }
    }
    for phase in &analysis.phases {
        analysis.reads.merge(&phase.reads);
        if let Some(node) = analysis.nodes.get_mut(&phase.source) {
            if let Some(live) = phase.reads.live {
                *node.live.get_or_insert(0) += live;
            }
            if let Some(tombstones) = phase.reads.tombstones {
                *node.tombstones.get_or_insert(0) += tombstones;
            }
        }
    }
    let slowest = timeline.activities.iter().max_by_key(|activity| activity.own);
    analysis.slowest = slowest.map(|activity| (activity.event, activity.own));
    analysis.unaccounted = timeline.gaps.iter().map(|gap| gap.end - gap.start).sum();
    analysis.timeline = timeline;
    analysis.problems = causes::find_problems(trace, &analysis);
    analysis
}

impl TraceAnalysis {
    /// The verdict: that of the worst problem.
    pub fn verdict(&self) -> Verdict {
        self.problems.iter().map(|problem| problem.verdict).max().unwrap_or(Verdict::Fine)
    }

    /// Counts a step.
    fn add(&mut self, step: &Step) {
        match step {
            Step::Message(step) => self.add_message(step),
            Step::Range(step) => self.add_range(step),
            Step::Paxos(step) => self.paxos.get_or_insert_default().add(*step),
            Step::Index(IndexStep::Reading { names, .. }) => {
                self.indexes.extend(names.split(',').map(str::to_owned));
            }
            Step::Index(IndexStep::Consulted { name }) => {
                self.indexes.insert(name.clone());
            }
            Step::Index(IndexStep::Searched { rows, .. }) => {
                *self.rows_tested.get_or_insert(0) += rows;
            }
            Step::Write(WriteStep::BatchReplicas | WriteStep::BatchLog) => {
                self.has_batch_log = true;
            }
            Step::Write(WriteStep::Hint) => self.hints += 1,
            Step::Failure(failure) => self.failures.push(failure.clone()),
            Step::Other => self.unknown += 1,
            _ => {}
        }
    }

    fn add_message(&mut self, step: &MessageStep) {
        let replicas = &mut self.replicas;
        match step {
            MessageStep::Asking { node, kind: ReadKind::Data } => {
                replicas.data.insert(node.clone());
            }
            MessageStep::Asking { node, kind: ReadKind::Digest } => {
                replicas.digest.insert(node.clone());
            }
            MessageStep::ReadingLocally { kind: ReadKind::Data } => {
                replicas.data.insert(self.coordinator.clone());
            }
            MessageStep::ReadingLocally { kind: ReadKind::Digest } => {
                replicas.digest.insert(self.coordinator.clone());
            }
            MessageStep::Speculating { .. } => replicas.speculative += 1,
            MessageStep::DigestMismatch => replicas.mismatches += 1,
            MessageStep::Repairing { node } => {
                replicas.repaired.insert(node.clone());
            }
            _ => {}
        }
    }

    fn add_range(&mut self, step: &RangeStep) {
        let ranges = self.ranges.get_or_insert_default();
        match step {
            RangeStep::Submitting { ranges: number, concurrency, .. } => {
                if ranges.ranges == 0 {
                    ranges.concurrency = *concurrency;
                }
                ranges.ranges = ranges.ranges.max(*number);
            }
            RangeStep::Submitted { requests } => {
                ranges.requests = ranges.requests.saturating_add(*requests);
                ranges.rounds += 1;
            }
            RangeStep::AllNodes { nodes } => {
                ranges.requests = ranges.requests.saturating_add(*nodes);
                ranges.rounds += 1;
            }
            RangeStep::Computing | RangeStep::Widened { .. } => {}
        }
    }
}

impl PaxosUse {
    fn add(&mut self, step: PaxosStep) {
        match step {
            PaxosStep::Prepare => self.attempts += 1,
            PaxosStep::Contention => self.contention += 1,
            PaxosStep::FinishingOther => self.finished_others += 1,
            PaxosStep::ConditionFailed => self.applied = Some(false),
            PaxosStep::Applied => self.applied = self.applied.or(Some(true)),
            _ => {}
        }
    }
}
