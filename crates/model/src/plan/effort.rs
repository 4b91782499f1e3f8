//! What running a plan takes, in things that can be counted. What they cost is said elsewhere.

use std::ops::{Add, AddAssign, Mul};

/// What running a plan once takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Statements that read, each to one coordinator.
    pub requests: f64,
    /// Times that the client waits for answers of reads: statements sent at once count once.
    pub rounds: f64,
    /// Partitions that they read.
    pub partitions: f64,
    /// Partitions beyond those that one read should ask for, as the limits on its fan-out say.
    pub scattered: f64,
    /// Reads of a partition that is read too often, as the limits on heat say.
    pub hot: f64,
    /// Nodes asked beyond those of the partitions: what an index without a partition asks.
    pub nodes: f64,
    /// Rows that the server reads, those included that the client then drops.
    pub rows: f64,
    /// Cells of those rows; a collection has one for each element.
    pub cells: f64,
    /// Bytes of those rows.
    pub bytes: f64,
    /// Tombstones that reads meet.
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

    /// Each figure made from those of both.
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
        self.zip(other, |one, more| one + more)
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
        self.zip(Self::default(), |one, _| one * times)
    }
}
