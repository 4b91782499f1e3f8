//! Published limits of the size of partitions.

/// A limit of partitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The name of the limit.
    pub name: &'static str,
    /// What is counted.
    pub measure: Measure,
    /// The limit itself.
    pub most: f64,
    /// The problem above the limit.
    pub consequence: &'static str,
    /// The publication.
    pub source: &'static str,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes of a partition.
    Bytes,
    /// Rows of a partition.
    Rows,
    /// The values (cells) of a partition.
    Cells,
    /// The tombstones of a partition that a read of all of it meets.
    Tombstones,
}

/// The limits, by measure, the lowest first.
pub const LIMITS: [Limit; 9] = [
    Limit {
        name: "slow reads",
        measure: Measure::Bytes,
        most: 100e6,
        consequence: "reads become slower, since recent rows are stored among ever more old ones",
        source: "modelling guides",
    },
    Limit {
        name: "compaction trouble",
        measure: Measure::Bytes,
        most: 500e6,
        consequence: "compaction needs much heap and causes pauses that delay other work",
        source: "modelling guides",
    },
    Limit {
        name: "repair failures",
        measure: Measure::Bytes,
        most: 1e9,
        consequence: "repair streams the whole partition, times out and fails repeatedly",
        source: "modelling guides",
    },
    Limit {
        name: "cluster instability",
        measure: Measure::Bytes,
        most: 2e9,
        consequence: "its replicas stop responding, hints accumulate and failures spread",
        source: "modelling guides",
    },
    Limit {
        name: "too many rows",
        measure: Measure::Rows,
        most: 300_000.0,
        consequence: "a partition of more than a few hundred thousand rows is slow to read and to repair",
        source: "modelling guides",
    },
    Limit {
        name: "too many values",
        measure: Measure::Cells,
        most: 100_000.0,
        consequence: "the rule of thumb of the documentation of Cassandra 2.x; later versions handle more",
        source: "the DS220 course",
    },
    Limit {
        name: "values at most",
        measure: Measure::Cells,
        most: 2e9,
        consequence: "Cassandra cannot hold more in one partition",
        source: "the Cassandra documentation",
    },
    Limit {
        name: "tombstone warnings",
        measure: Measure::Tombstones,
        most: 1_000.0,
        consequence: "a read of the whole partition logs a warning (tombstone_warn_threshold)",
        source: "cassandra.yaml",
    },
    Limit {
        name: "reads fail",
        measure: Measure::Tombstones,
        most: 100_000.0,
        consequence: "a read of the whole partition is aborted (tombstone_failure_threshold)",
        source: "cassandra.yaml",
    },
];

/// The limits in bytes, the lowest first.
pub fn byte_limits() -> impl Iterator<Item = &'static Limit> {
    LIMITS.iter().filter(|limit| limit.measure == Measure::Bytes)
}

/// The highest limit in bytes that a partition of this size exceeds.
pub fn highest_crossed(bytes: f64) -> Option<&'static Limit> {
    byte_limits().filter(|limit| bytes > limit.most).last()
}
