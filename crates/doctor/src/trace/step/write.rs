//! The write of a node: replicas, commit log, memtables, counters, views, hints.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence, number};

/// A step of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteStep {
    /// The replicas of a write are determined.
    Replicas,
    /// The replicas of a logged batch are determined.
    BatchReplicas,
    /// The batch is written to the batch log of other nodes (`ScyllaDB`).
    BatchLog,
    /// The commit log is appended to.
    CommitLog,
    /// A memtable is written.
    Memtable {
        /// Its table.
        table: String,
    },
    /// The locks of counters are acquired.
    CounterLocks,
    /// Counters are fetched from the cache.
    CountersFromCache {
        /// Their number.
        counters: u64,
    },
    /// Counters are read from the table.
    CountersFromTable {
        /// Their number, where the server prints it.
        counters: Option<u64>,
    },
    /// Writes of materialized views are derived.
    Views,
    /// The lock of a view could not be acquired.
    ViewLockMissed,
    /// A write is kept for a node that is down.
    Hint,
    /// No hint is kept for a node that is down.
    NoHint,
}

impl WriteStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::ViewLockMissed | Self::Hint | Self::NoHint => Mark::Moment,
            _ => Mark::Start,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<WriteStep> {
    let exact = [
        ("Determining replicas for mutation", WriteStep::Replicas),
        ("Determining replicas for atomic batch", WriteStep::BatchReplicas),
        ("Sending a batchlog write mutation", WriteStep::BatchLog),
        ("Sending a batchlog remove mutation", WriteStep::BatchLog),
        ("Appending to commitlog", WriteStep::CommitLog),
        ("Acquiring counter locks", WriteStep::CounterLocks),
        ("Reading counter values from the CF", WriteStep::CountersFromTable { counters: None }),
        ("Creating materialized view mutations from base table replica", WriteStep::Views),
        ("Could not acquire MV lock", WriteStep::ViewLockMissed),
        ("Wrote hints to satisfy CL.ANY after no replicas acknowledged the write", WriteStep::Hint),
    ];
    if let Some((_, step)) = exact.into_iter().find(|(template, _)| is_sentence(template, sentence))
    {
        return Some(step);
    }
    if let Some([table]) = fields("Adding to {} memtable", sentence) {
        return Some(WriteStep::Memtable { table: table.to_owned() });
    }
    if let Some([counters]) = fields("Fetching {} counter values from cache", sentence) {
        return Some(WriteStep::CountersFromCache { counters: number(counters)? });
    }
    if let Some([counters]) = fields("Reading {} counter values from the CF", sentence) {
        return Some(WriteStep::CountersFromTable { counters: number(counters) });
    }
    let hints = ["Going to store a hint to {}", "Hint to {} was stored", "Sending a hint to /{}"];
    if hints.iter().any(|template| fields::<1>(template, sentence).is_some()) {
        return Some(WriteStep::Hint);
    }
    let no_hints = ["Not hinting {}", "Discarding hint for endpoint not part of ring: {}"];
    let is_refused = no_hints.iter().any(|template| fields::<1>(template, sentence).is_some());
    is_refused.then_some(WriteStep::NoHint)
}
