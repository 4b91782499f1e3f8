//! The effort of running a plan once, in countable units. The cost model that prices them is in
//! `design`.

use std::ops::{Add, AddAssign, Mul};

/// The effort of running a plan once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Statements that read, each to one coordinator.
    pub requests: f64,
    /// Round trips of reads: statements sent in parallel count once.
    pub rounds: f64,
    /// Partitions that they read.
    pub partitions: f64,
    /// Partitions above the fan-out limit of one read.
    pub scattered: f64,
    /// Reads of a partition above the heat limit.
    pub hot: f64,
    /// Nodes contacted beyond those of the partitions, for an index search without a partition key.
    pub nodes: f64,
    /// Rows that the server reads, including those that the client discards.
    pub rows: f64,
    /// Cells of those rows; a collection has one for each element.
    pub cells: f64,
    /// Bytes of those rows.
    pub bytes: f64,
    /// Tombstones that reads scan.
    pub tombstones: f64,
    /// Times that the client sorts rows (streams that are merged are not sorted).
    pub sorts: f64,
    /// Rows that it sorts.
    pub sorted: f64,
    /// Rows written, counter updates among them.
    pub written: f64,
    /// Bytes written.
    pub written_bytes: f64,
    /// Rows, cells or ranges deleted: tombstones made.
    pub deleted: f64,
    /// Partitions written in logged batches.
    pub logged: f64,
    /// Conditional statements.
    pub conditional: f64,
    /// Counter updates.
    pub counted: f64,
}

impl Effort {
    /// All figures, in the order of the fields.
    pub const fn counts(&self) -> [f64; 18] {
        [
            self.requests,
            self.rounds,
            self.partitions,
            self.scattered,
            self.hot,
            self.nodes,
            self.rows,
            self.cells,
            self.bytes,
            self.tombstones,
            self.sorts,
            self.sorted,
            self.written,
            self.written_bytes,
            self.deleted,
            self.logged,
            self.conditional,
            self.counted,
        ]
    }

    /// Combines each figure of both.
    #[must_use]
    fn zip(self, other: Self, make: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            requests: make(self.requests, other.requests),
            rounds: make(self.rounds, other.rounds),
            partitions: make(self.partitions, other.partitions),
            scattered: make(self.scattered, other.scattered),
            hot: make(self.hot, other.hot),
            nodes: make(self.nodes, other.nodes),
            rows: make(self.rows, other.rows),
            cells: make(self.cells, other.cells),
            bytes: make(self.bytes, other.bytes),
            tombstones: make(self.tombstones, other.tombstones),
            sorts: make(self.sorts, other.sorts),
            sorted: make(self.sorted, other.sorted),
            written: make(self.written, other.written),
            written_bytes: make(self.written_bytes, other.written_bytes),
            deleted: make(self.deleted, other.deleted),
            logged: make(self.logged, other.logged),
            conditional: make(self.conditional, other.conditional),
            counted: make(self.counted, other.counted),
        }
    }
}

impl Add for Effort {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |left, right| left + right)
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Effort {
    type Output = Self;

    fn mul(self, times: f64) -> Self {
        self.zip(Self::default(), |count, _| count * times)
    }
}
