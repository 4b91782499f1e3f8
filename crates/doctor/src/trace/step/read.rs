//! The read of a node: memtables, `SSTable`s, rows.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence, number};

/// What one read of a node met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Live rows.
    pub live: u64,
    /// Tombstones.
    pub tombstones: u64,
}

/// A step of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadStep {
    /// One partition is read.
    Partition {
        /// The table, or the index, that is read.
        table: String,
    },
    /// All partitions of a token range are read.
    Scan {
        /// The `SSTable`s that have partitions of the range.
        sstables: u64,
    },
    /// The `SSTable`s of the partition are looked up.
    AcquiringSstables,
    /// Memtables are read.
    MergingMemtables,
    /// Memtables and so many `SSTable`s were merged.
    Merged {
        /// The `SSTable`s.
        sstables: u64,
    },
    /// `SSTable`s whose clustering range lies outside were left out.
    Skipped {
        /// Those that were left out.
        skipped: u64,
        /// All of the partition.
        of: u64,
        /// Those that were read only for their tombstones.
        for_tombstones: u64,
    },
    /// The read ended.
    Ended(ReadCounts),
    /// The read met more tombstones than `tombstone_failure_threshold`.
    TombstoneLimit {
        /// The limit.
        tombstones: u64,
    },
    /// The row cache had the rows.
    RowCacheHit,
    /// The row cache did not have the rows.
    RowCacheMiss,
}

impl ReadStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Merged { .. } | Self::Ended(_) | Self::TombstoneLimit { .. } => Mark::End,
            _ => Mark::Start,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<ReadStep> {
    if let Some([table]) = fields("Executing single-partition query on {}", sentence) {
        return Some(ReadStep::Partition { table: table.to_owned() });
    }
    if let Some([sstables, _]) = fields("Executing seq scan across {} sstables for {}", sentence) {
        return Some(ReadStep::Scan { sstables: number(sstables)? });
    }
    if is_sentence("Acquiring sstable references", sentence)
        || is_sentence("Collecting data from sstables and tracking repaired status", sentence)
    {
        return Some(ReadStep::AcquiringSstables);
    }
    if is_sentence("Merging memtable contents", sentence)
        || is_sentence("Merging memtable tombstones", sentence)
    {
        return Some(ReadStep::MergingMemtables);
    }
    parse_report(sentence).or_else(|| parse_cache(sentence))
}

/// Sentences with figures.
fn parse_report(sentence: &str) -> Option<ReadStep> {
    let merged = "Merged data from memtables and {} sstables";
    let merging = "Merging data from memtables and {} sstables";
    if let Some([sstables]) = fields(merged, sentence).or_else(|| fields(merging, sentence)) {
        return Some(ReadStep::Merged { sstables: number(sstables)? });
    }
    let skipped = "Skipped {}/{} non-slice-intersecting sstables, included {} due to tombstones";
    if let Some([skipped, of, included]) = fields(skipped, sentence) {
        let for_tombstones = number(included)?;
        return Some(ReadStep::Skipped {
            skipped: number(skipped)?,
            of: number(of)?,
            for_tombstones,
        });
    }
    let rows = "Read {} live rows and {} tombstone cells{}";
    // Cassandra 2.1 to 3.0.
    let cells = "Read {} live and {} tombstone cells{}";
    if let Some([live, tombstones, _]) = fields(rows, sentence).or_else(|| fields(cells, sentence))
    {
        let counts = ReadCounts { live: number(live)?, tombstones: number(tombstones)? };
        return Some(ReadStep::Ended(counts));
    }
    let aborted =
        "Scanned over {} tombstones for query {}; query aborted (see tombstone_failure_threshold)";
    let [tombstones, _] = fields(aborted, sentence)?;
    Some(ReadStep::TombstoneLimit { tombstones: number(tombstones)? })
}

fn parse_cache(sentence: &str) -> Option<ReadStep> {
    if is_sentence("Row cache hit", sentence) {
        return Some(ReadStep::RowCacheHit);
    }
    let misses = [
        "Row cache miss",
        "Row cache miss (race)",
        "Ignoring row cache as cached value could not satisfy query",
        "Fetching data but not populating cache as query does not query from the start of the partition",
    ];
    misses.iter().any(|miss| is_sentence(miss, sentence)).then_some(ReadStep::RowCacheMiss)
}
