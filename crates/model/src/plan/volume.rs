//! The sizes of a table's partitions, today and as they grow.

/// Rows (or bytes) of a partition, as a distribution over the partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantiles {
    /// On average.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// The largest.
    pub max: f64,
}

/// The volume of a table: rows of its partitions today and as they grow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volume {
    /// Partitions today.
    pub partitions: f64,
    /// New partitions per day.
    pub partitions_per_day: f64,
    /// Rows of a partition today.
    pub today: Quantiles,
    /// Rows that a partition gains per day.
    pub per_day: Quantiles,
    /// Days after which a partition stops growing: its bucket's width, or the retention. `None`:
    /// never.
    pub grows_for: Option<f64>,
    /// Bytes of a partition without rows: key, header, static row.
    pub fixed_bytes: f64,
    /// Bytes of a row.
    pub row_bytes: f64,
    /// Cells of a row.
    pub row_cells: f64,
    /// Writes per second to the hottest partition.
    pub hottest_writes: f64,
    /// Reads per second of the hottest partition.
    pub hottest_reads: f64,
}

impl Quantiles {
    /// The same number of rows in every partition.
    pub const fn even(rows: f64) -> Self {
        Self { mean: rows, p50: rows, p99: rows, p999: rows, max: rows }
    }

    /// Applies a function to each figure.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self {
            mean: change(self.mean),
            p50: change(self.p50),
            p99: change(self.p99),
            p999: change(self.p999),
            max: change(self.max),
        }
    }

    /// Combines each figure of both.
    #[must_use]
    pub fn zip(self, other: Self, make: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            mean: make(self.mean, other.mean),
            p50: make(self.p50, other.p50),
            p99: make(self.p99, other.p99),
            p999: make(self.p999, other.p999),
            max: make(self.max, other.max),
        }
    }
}

impl Volume {
    /// Rows of a partition after a number of days (0: today).
    pub fn rows_after(&self, days: f64) -> Quantiles {
        match self.grows_for {
            Some(most) => self.per_day.map(|rows| rows * most),
            None => self.today.zip(self.per_day, |today, daily| today + daily * days),
        }
    }

    /// Bytes of a partition after a number of days.
    pub fn bytes_after(&self, days: f64) -> Quantiles {
        self.rows_after(days).map(|rows| self.fixed_bytes + rows * self.row_bytes)
    }

    /// Bytes of the whole table after a number of days, one copy of it.
    pub fn table_bytes_after(&self, days: f64) -> f64 {
        (self.partitions + self.partitions_per_day * days) * self.bytes_after(days).mean
    }

    /// Days until a partition at the 99.9th percentile has more than `limit` bytes; 0 when it has
    /// today, `None` when it never will.
    pub fn days_until(&self, limit: f64) -> Option<f64> {
        let now = self.bytes_after(0.0).p999;
        if now > limit {
            return Some(0.0);
        }
        let daily = self.per_day.p999 * self.row_bytes;
        (self.grows_for.is_none() && daily > 0.0).then(|| (limit - now) / daily)
    }
}
