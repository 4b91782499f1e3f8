//! [`WriteStripes`]: tells a search whether a partition was written since it read the entries.
//!
//! A write is in the table before it is in the index. A search that reads entries before it and rows
//! after it would see neither the state before the write nor the one after it. So a write is counted
//! when it starts and when it is in the index, in one of a few stripes by its partition; a search
//! compares the counts before the entries and after the rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::IndexHandle;

const STRIPES: usize = 64;

/// The writes of the partitions of a table.
#[derive(Debug)]
pub(crate) struct WriteStripes {
    stripes: [WriteCounts; STRIPES],
}

#[derive(Debug, Default)]
struct WriteCounts {
    started: AtomicU64,
    finished: AtomicU64,
}

impl WriteCounts {
    /// The number of writes, if none is under way. No write starts between the two loads if the
    /// counts are equal: `finished` never exceeds `started`.
    fn count_settled(&self) -> Option<u64> {
        let finished = self.finished.load(Ordering::SeqCst);
        (self.started.load(Ordering::SeqCst) == finished).then_some(finished)
    }
}

impl Default for WriteStripes {
    fn default() -> Self {
        Self { stripes: std::array::from_fn(|_| WriteCounts::default()) }
    }
}

impl WriteStripes {
    /// What was written so far.
    pub(crate) fn read(&self) -> SettledWrites {
        SettledWrites { counts: std::array::from_fn(|at| self.stripes.get(at)?.count_settled()) }
    }

    /// Whether a partition (token and key) was not written since, nor was being written then.
    pub(crate) fn is_unchanged(&self, before: &SettledWrites, partition: &[u8]) -> bool {
        let at = stripe_of(partition);
        let count = before.counts.get(at).copied().flatten();
        let started = self.stripes.get(at).map(|counts| counts.started.load(Ordering::SeqCst));
        count.is_some() && count == started
    }
}

/// The counts of writes at one moment; `None` where one was under way.
#[derive(Clone, Debug)]
pub(crate) struct SettledWrites {
    counts: [Option<u64>; STRIPES],
}

/// By the last byte of the token, as the first ones are alike in a range of the ring.
fn stripe_of(partition: &[u8]) -> usize {
    partition.get(7).map_or(0, |byte| usize::from(*byte) % STRIPES)
}

/// Writes under way; they are in the indexes, or failed, when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct WritesUnderWay {
    stripes: Vec<(Arc<IndexHandle>, usize)>,
}

impl WritesUnderWay {
    /// Adds a write of a partition (token and key).
    pub(crate) fn start(&mut self, index: &Arc<IndexHandle>, partition: &[u8]) {
        let at = stripe_of(partition);
        if let Some(counts) = index.writes.stripes.get(at) {
            counts.started.fetch_add(1, Ordering::SeqCst);
            self.stripes.push((Arc::clone(index), at));
        }
    }
}

impl Drop for WritesUnderWay {
    fn drop(&mut self) {
        for (index, at) in &self.stripes {
            if let Some(counts) = index.writes.stripes.get(*at) {
                counts.finished.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}
