//! How a read finds its partition in one `SSTable`.

use crate::trace::sentence::{fields, number};

/// What was found out about an `SSTable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SstableUse {
    /// The Bloom filter says that the partition is not in it.
    BloomFilterSkip,
    /// The partition lies outside of its first and last keys.
    KeyRangeSkip,
    /// The partition index says that the partition is not in it.
    IndexSkip,
    /// The Bloom filter was wrong: the file was searched, and the partition is not in it.
    FalsePositive,
    /// It is read; the key cache knew the position.
    KeyCacheHit,
    /// It is read; the partition index was searched for the position.
    IndexLookup,
}

/// A step about one `SSTable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SstableStep {
    /// Its generation or identifier.
    pub sstable: String,
    /// What was found out.
    pub found: SstableUse,
    /// The entries of the partition in the row index: more than 0 for partitions above
    /// `column_index_size`.
    pub index_entries: Option<u64>,
}

pub(super) fn parse(sentence: &str) -> Option<SstableStep> {
    const SKIPS: [(&str, SstableUse); 5] = [
        ("Bloom filter allows skipping sstable {}", SstableUse::BloomFilterSkip),
        ("Check against min and max keys allows skipping sstable {}", SstableUse::KeyRangeSkip),
        ("Partition index lookup allows skipping sstable {}", SstableUse::IndexSkip),
        (
            "Partition index lookup complete (bloom filter false positive) for sstable {}",
            SstableUse::FalsePositive,
        ),
        ("Key cache hit for sstable {}", SstableUse::KeyCacheHit),
    ];
    let step = |sstable: &str, found, index_entries| SstableStep {
        sstable: sstable.to_owned(),
        found,
        index_entries,
    };
    // Cassandra 5.0 prints the entries; in 3.11 and 4.x the sentence is shorter.
    if let Some([sstable, entries]) = fields("Key cache hit for sstable {}, size = {}", sentence) {
        return Some(step(sstable, SstableUse::KeyCacheHit, number(entries)));
    }
    if let Some([sstable, entries]) =
        fields("Partition index found for sstable {}, size = {}", sentence)
    {
        return Some(step(sstable, SstableUse::IndexLookup, number(entries)));
    }
    let found = "Partition index with {} entries found for sstable {}";
    if let Some([entries, sstable]) = fields(found, sentence) {
        return Some(step(sstable, SstableUse::IndexLookup, number(entries)));
    }
    SKIPS.iter().find_map(|(template, found)| {
        let [sstable] = fields(template, sentence)?;
        Some(step(sstable, *found, None))
    })
}

impl SstableUse {
    /// Whether the `SSTable` is read.
    pub fn is_read(self) -> bool {
        matches!(self, Self::FalsePositive | Self::KeyCacheHit | Self::IndexLookup)
    }
}
