//! [`Phase`]: steps that belong together, such as all of one read, as one thing that takes time.

use std::collections::BTreeMap;

use super::event::Trace;
use super::step::{
    IndexStep, MessageStep, PaxosStep, RangeStep, ReadStep, RequestStep, SstableUse, Step,
    WriteStep,
};
use super::timeline::Timeline;

/// What the steps of a phase do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseKind {
    /// Parsing and preparing.
    Prepare,
    /// Choosing an index, computing token ranges.
    PlanRead,
    /// Reading one partition of a table.
    ReadPartition(String),
    /// Reading all partitions of a token range.
    Scan,
    /// Reading rows through indexes of a table.
    ReadIndex {
        /// The table.
        table: String,
        /// The indexes.
        names: String,
    },
    /// Determining replicas.
    PlanWrite,
    /// Writing commit log and memtables.
    Write(String),
    /// Writing the batch log.
    BatchLog,
    /// Locking and reading counters.
    Counter,
    /// Deriving the writes of views.
    Views,
    /// A round of a lightweight transaction.
    Paxos(PaxosStep),
    /// Comparing and repairing replicas.
    ReadRepair,
    /// User-defined functions.
    Function(String),
    /// Putting the result together.
    Result,
    /// A failure.
    Failure,
    /// A step that is not known, with its sentence.
    Other(String),
}

/// What reads met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadTotals {
    /// Partitions that were read.
    pub partitions: u64,
    /// Live rows; `None` if no read reported its rows.
    pub live: Option<u64>,
    /// Tombstones, likewise.
    pub tombstones: Option<u64>,
    /// The tombstones at which the server aborted a read.
    pub aborted: Option<u64>,
    /// `SSTable`s by what was found out about them, over all reads.
    pub sstables: BTreeMap<SstableUse, u64>,
    /// The most `SSTable`s that one read merged or scanned.
    pub sstables_max: Option<u64>,
    /// The most entries that a partition has in a row index.
    pub index_entries_max: Option<u64>,
}

/// Steps that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What they do.
    pub kind: PhaseKind,
    /// The address of the node.
    pub source: String,
    /// The thread; that of the first, where several are summed up.
    pub thread: String,
    /// The start, in microseconds since the request began.
    pub start: u64,
    /// The end.
    pub end: u64,
    /// The time that is theirs alone: those of all phases and the gaps add up to the whole.
    pub own: u64,
    /// How many phases this one sums up.
    pub count: u64,
    /// What reads met.
    pub reads: ReadTotals,
    /// The event that takes the most of the time.
    pub slowest: Option<(usize, u64)>,
}

/// More phases than these of one kind on one node are summed up.
const ALIKE_MAX: usize = 3;

/// The phases of a trace, by start. If a node has many of one kind, they become one.
pub(super) fn find_phases(trace: &Trace, timeline: &Timeline) -> Vec<Phase> {
    let own: BTreeMap<usize, (u64, u64, u64)> = timeline
        .activities
        .iter()
        .map(|activity| (activity.event, (activity.start, activity.end, activity.own)))
        .collect();
    let mut open: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut phases: Vec<Phase> = Vec::new();
    for event in &timeline.order {
        let Some(of) = trace.events.get(*event) else { continue };
        let lane = (&*of.source, &*of.thread);
        let current = open.get(&lane).copied();
        let continued = current.filter(|at| is_continued_by(phases.get(*at), &of.step));
        let position = if let Some(position) = continued {
            position
        } else {
            let Some(kind) = kind_of(&of.step, &of.sentence) else { continue };
            let time = timeline.time(*event);
            phases.push(Phase::new(kind, of.source.clone(), of.thread.clone(), time));
            open.insert(lane, phases.len() - 1);
            phases.len() - 1
        };
        let Some(phase) = phases.get_mut(position) else { continue };
        phase.add(&of.step);
        let time = timeline.time(*event);
        let (start, end, own) = own.get(event).copied().unwrap_or((time, time, 0));
        phase.start = phase.start.min(start);
        phase.end = phase.end.max(end).max(time);
        phase.own += own;
        if phase.slowest.is_none_or(|(_, slowest)| own > slowest) {
            phase.slowest = Some((*event, own));
        }
    }
    phases.sort_by_key(|phase| (phase.start, phase.end));
    sum_up(phases)
}

/// The kind of phase that a step begins; `None` for moments that begin none.
fn kind_of(step: &Step, sentence: &str) -> Option<PhaseKind> {
    Some(match step {
        Step::Request(RequestStep::Answering) => PhaseKind::Result,
        Step::Request(RequestStep::FunctionCalled { name }) => PhaseKind::Function(name.clone()),
        Step::Request(_) => PhaseKind::Prepare,
        Step::Read(ReadStep::Partition { table }) => PhaseKind::ReadPartition(table.clone()),
        Step::Read(ReadStep::Scan { .. }) => PhaseKind::Scan,
        Step::Read(_) | Step::Sstable(_) => PhaseKind::ReadPartition(String::new()),
        Step::Index(IndexStep::Reading { table, names }) => {
            PhaseKind::ReadIndex { table: table.clone(), names: names.clone() }
        }
        Step::Index(IndexStep::Consulted { name }) => {
            PhaseKind::ReadIndex { table: String::new(), names: name.clone() }
        }
        Step::Index(_) | Step::Range(RangeStep::Computing) => PhaseKind::PlanRead,
        Step::Write(WriteStep::Replicas | WriteStep::BatchReplicas) => PhaseKind::PlanWrite,
        Step::Write(WriteStep::BatchLog) => PhaseKind::BatchLog,
        Step::Write(WriteStep::CommitLog) => PhaseKind::Write(String::new()),
        Step::Write(WriteStep::Memtable { table }) => PhaseKind::Write(table.clone()),
        Step::Write(
            WriteStep::CounterLocks
            | WriteStep::CountersFromCache { .. }
            | WriteStep::CountersFromTable { .. },
        ) => PhaseKind::Counter,
        Step::Write(WriteStep::Views | WriteStep::ViewLockMissed) => PhaseKind::Views,
        Step::Paxos(PaxosStep::ConditionMet | PaxosStep::ConditionFailed | PaxosStep::Applied) => {
            return None;
        }
        Step::Paxos(step) => PhaseKind::Paxos(*step),
        Step::Message(MessageStep::DigestMismatch | MessageStep::Repairing { .. }) => {
            PhaseKind::ReadRepair
        }
        Step::Failure(_) => PhaseKind::Failure,
        Step::Other => PhaseKind::Other(sentence.to_owned()),
        Step::Range(_) | Step::Message(_) | Step::Write(WriteStep::Hint | WriteStep::NoHint) => {
            return None;
        }
    })
}

/// Whether a step belongs to the phase that is open on its thread.
fn is_continued_by(phase: Option<&Phase>, step: &Step) -> bool {
    let Some(phase) = phase else { return false };
    match (&phase.kind, step) {
        (PhaseKind::Prepare, Step::Request(RequestStep::Preparing | RequestStep::Processing))
        | (PhaseKind::PlanRead, Step::Index(_) | Step::Range(_))
        | (PhaseKind::Views, Step::Write(WriteStep::Views | WriteStep::ViewLockMissed))
        | (
            PhaseKind::ReadRepair,
            Step::Message(MessageStep::DigestMismatch | MessageStep::Repairing { .. }),
        ) => !matches!(step, Step::Index(IndexStep::Reading { .. })),
        (PhaseKind::Counter, Step::Write(step)) => {
            matches!(
                step,
                WriteStep::CountersFromCache { .. } | WriteStep::CountersFromTable { .. }
            )
        }
        (PhaseKind::Write(table), Step::Write(WriteStep::Memtable { .. })) => table.is_empty(),
        // Through an index, many partitions are read before the read ends.
        (PhaseKind::ReadIndex { .. }, Step::Read(_) | Step::Sstable(_) | Step::Index(_)) => {
            !matches!(step, Step::Index(IndexStep::Reading { .. }))
                && (phase.reads.live.is_none()
                    || matches!(step, Step::Read(ReadStep::Merged { .. }) | Step::Index(_)))
        }
        (PhaseKind::ReadPartition(_) | PhaseKind::Scan, Step::Read(step)) => match step {
            ReadStep::Partition { .. } | ReadStep::Scan { .. } => false,
            ReadStep::Ended(_) => phase.reads.live.is_none(),
            _ => true,
        },
        (PhaseKind::ReadPartition(_) | PhaseKind::Scan, Step::Sstable(_)) => true,
        _ => false,
    }
}

/// Phases of a kind that a node has many of, as one.
fn sum_up(phases: Vec<Phase>) -> Vec<Phase> {
    let mut counts: BTreeMap<(PhaseKind, String), usize> = BTreeMap::new();
    for phase in &phases {
        *counts.entry((phase.kind.clone(), phase.source.clone())).or_default() += 1;
    }
    let mut sums: Vec<Phase> = Vec::new();
    let mut places: BTreeMap<(PhaseKind, String), usize> = BTreeMap::new();
    for phase in phases {
        let key = (phase.kind.clone(), phase.source.clone());
        if counts.get(&key).is_none_or(|count| *count <= ALIKE_MAX) {
            sums.push(phase);
            continue;
        }
        if let Some(sum) = places.get(&key).and_then(|at| sums.get_mut(*at)) {
            sum.merge(&phase);
        } else {
            places.insert(key, sums.len());
            sums.push(phase);
        }
    }
    sums
}

impl Phase {
    fn new(kind: PhaseKind, source: String, thread: String, at: u64) -> Self {
        let reads = ReadTotals::default();
        Self { kind, source, thread, start: at, end: at, own: 0, count: 1, reads, slowest: None }
    }

    /// Adds what a step says.
    fn add(&mut self, step: &Step) {
        match (&mut self.kind, step) {
            (PhaseKind::Write(table), Step::Write(WriteStep::Memtable { table: named })) => {
                table.clone_from(named);
            }
            (_, step) => self.reads.add(step),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.start = self.start.min(other.start);
        self.end = self.end.max(other.end);
        self.own += other.own;
        self.count += other.count;
        self.reads.merge(&other.reads);
        if other.slowest.map(|(_, own)| own) > self.slowest.map(|(_, own)| own) {
            self.slowest = other.slowest;
        }
    }
}

impl ReadTotals {
    fn add(&mut self, step: &Step) {
        match step {
            Step::Read(ReadStep::Partition { .. }) => self.partitions += 1,
            Step::Read(ReadStep::Scan { sstables } | ReadStep::Merged { sstables }) => {
                self.sstables_max = self.sstables_max.max(Some(*sstables));
            }
            Step::Read(ReadStep::Ended(counts)) => {
                *self.live.get_or_insert(0) += counts.live;
                *self.tombstones.get_or_insert(0) += counts.tombstones;
            }
            Step::Read(ReadStep::TombstoneLimit { tombstones }) => {
                self.aborted = self.aborted.max(Some(*tombstones));
            }
            Step::Sstable(sstable) => {
                *self.sstables.entry(sstable.found).or_default() += 1;
                self.index_entries_max = self.index_entries_max.max(sstable.index_entries);
            }
            _ => {}
        }
    }

    /// Adds other reads.
    pub(super) fn merge(&mut self, other: &Self) {
        self.partitions += other.partitions;
        let add = |one: &mut Option<u64>, other: Option<u64>| {
            if let Some(other) = other {
                *one.get_or_insert(0) += other;
            }
        };
        add(&mut self.live, other.live);
        add(&mut self.tombstones, other.tombstones);
        self.aborted = self.aborted.max(other.aborted);
        for (found, count) in &other.sstables {
            *self.sstables.entry(*found).or_default() += count;
        }
        self.sstables_max = self.sstables_max.max(other.sstables_max);
        self.index_entries_max = self.index_entries_max.max(other.index_entries_max);
    }
}
