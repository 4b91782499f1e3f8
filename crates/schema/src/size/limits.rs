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
    /// The mistake that leads there.
    pub mistake: &'static Mistake,
}

/// A mistake of modelling, as the guides grade it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its name.
    pub name: &'static str,
    /// Its severity.
    pub severity: &'static str,
    /// How long it usually takes until it hurts.
    pub time_to_impact: &'static str,
    /// What is seen then.
    pub symptoms: &'static str,
}

/// Partitions that grow without limit.
pub const UNBOUNDED_PARTITIONS: Mistake = Mistake {
    name: "unbounded partitions",
    severity: "critical",
    time_to_impact: "weeks to months",
    symptoms: "timeouts, exhausted memory, failed repairs",
};
/// Tombstones that come faster than they may be removed.
pub const TOMBSTONE_ACCUMULATION: Mistake = Mistake {
    name: "tombstone accumulation",
    severity: "critical",
    time_to_impact: "days to weeks",
    symptoms: "rising read latency, failed queries",
};
/// Collections that grow without limit.
pub const LARGE_COLLECTIONS: Mistake = Mistake {
    name: "large collections",
    severity: "medium",
    time_to_impact: "weeks",
    symptoms: "memory pressure, slow writes",
};

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
    /// The elements of a collection.
    Elements,
    /// The bytes of a collection.
    CollectionBytes,
}

/// The limits, by measure, the lowest first.
pub const LIMITS: [Limit; 9] = [
    Limit {
        name: "slow reads",
        measure: Measure::Bytes,
        most: 100e6,
        consequence: "reads become slower, since recent rows are stored among ever more old ones",
        source: "modelling guides",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "compaction trouble",
        measure: Measure::Bytes,
        most: 500e6,
        consequence: "compaction needs much heap and causes pauses that delay other work",
        source: "modelling guides",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "repair failures",
        measure: Measure::Bytes,
        most: 1e9,
        consequence: "repair streams the whole partition, times out and fails repeatedly",
        source: "modelling guides",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "cluster instability",
        measure: Measure::Bytes,
        most: 2e9,
        consequence: "its replicas stop responding, hints accumulate and failures spread",
        source: "modelling guides",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "too many rows",
        measure: Measure::Rows,
        most: 300_000.0,
        consequence: "a partition of more than a few hundred thousand rows is slow to read and to repair",
        source: "modelling guides",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "too many values",
        measure: Measure::Cells,
        most: 100_000.0,
        consequence: "the rule of thumb of the documentation of Cassandra 2.x; later versions handle more",
        source: "the DS220 course",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "values at most",
        measure: Measure::Cells,
        most: 2e9,
        consequence: "Cassandra cannot hold more in one partition",
        source: "the Cassandra documentation",
        mistake: &UNBOUNDED_PARTITIONS,
    },
    Limit {
        name: "tombstone warnings",
        measure: Measure::Tombstones,
        most: 1_000.0,
        consequence: "a read of the whole partition logs a warning (tombstone_warn_threshold)",
        source: "cassandra.yaml",
        mistake: &TOMBSTONE_ACCUMULATION,
    },
    Limit {
        name: "reads fail",
        measure: Measure::Tombstones,
        most: 100_000.0,
        consequence: "a read of the whole partition is aborted (tombstone_failure_threshold)",
        source: "cassandra.yaml",
        mistake: &TOMBSTONE_ACCUMULATION,
    },
];

/// The limits of collections, by measure, the lowest first.
pub const COLLECTION_LIMITS: [Limit; 3] = [
    Limit {
        name: "too many elements",
        measure: Measure::Elements,
        most: 100.0,
        consequence: "every read returns all elements, and cannot page through them",
        source: "modelling guides",
        mistake: &LARGE_COLLECTIONS,
    },
    Limit {
        name: "large collection",
        measure: Measure::CollectionBytes,
        most: 64e3,
        consequence: "guardrails and logs warn of collections of 64 KB",
        source: "modelling guides",
        mistake: &LARGE_COLLECTIONS,
    },
    Limit {
        name: "slow collection",
        measure: Measure::CollectionBytes,
        most: 10e6,
        consequence: "each access reads all of it into memory, and garbage collection suffers",
        source: "modelling guides",
        mistake: &LARGE_COLLECTIONS,
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
