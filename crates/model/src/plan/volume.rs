//! The sizes of a table's partitions, today and as they grow.

use crate::concept::{DAY, GrowthCurve};

/// No growth is followed for longer than a century, in days: nobody plans for what comes later.
const DAYS_MAX: f64 = 100.0 * 365.25;
/// Halvings of that time until the day is found.
const HALVINGS: u32 = 120;

/// Rows (or bytes) of a partition, as a distribution over the partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantiles {
    /// On average.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// The largest.
    pub max: f64,
}

/// The time from the oldest to the newest write of an `SSTable`. Times are stored as differences
/// from the oldest, so the bytes of rows depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileSpan {
    /// The time in days.
    pub days: f64,
    /// Where it comes from.
    pub basis: FileSpanBasis,
}

/// What the time span of the files of a table follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSpanBasis {
    /// It is stated by the user.
    Stated,
    /// Time-window compaction: a file has the writes of one window.
    Window,
    /// Rows expire, and compaction merges files until they have all that is left.
    Retention,
    /// Nothing expires: compaction merges the writes of the whole planning period.
    Period,
}

/// The volume of a table: rows of its partitions today and as they grow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volume {
    /// Partitions today.
    pub partitions: f64,
    /// New partitions per day, on average.
    pub partitions_per_day: f64,
    /// The course of their growth.
    pub partitions_curve: GrowthCurve,
    /// Days that a partition lives, where partitions come and expire. `None`: forever.
    pub partitions_live_for: Option<f64>,
    /// Rows of a partition today.
    pub today: Quantiles,
    /// Rows that a partition gains per day, on average.
    pub per_day: Quantiles,
    /// The course of their growth.
    pub rows_curve: GrowthCurve,
    /// Days after which a partition stops growing: its bucket's width, or the retention. `None`:
    /// never.
    pub grows_for: Option<f64>,
    /// The time span of its files.
    pub file_span: FileSpan,
    /// Bytes of a partition without rows: key, header, static row; today.
    pub fixed_bytes: f64,
    /// Bytes of a row today.
    pub row_bytes: f64,
    /// Cells of a row today.
    pub row_cells: f64,
    /// What its collections gain.
    pub collections: CollectionGrowth,
    /// Writes per second to the hottest partition.
    pub hottest_writes: f64,
    /// Reads per second of the hottest partition.
    pub hottest_reads: f64,
}

/// The growth of a table's collections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollectionGrowth {
    /// Bytes that a static row gains per day.
    pub fixed_bytes: f64,
    /// Bytes that a row gains per day.
    pub row_bytes: f64,
    /// Cells that a row gains per day.
    pub row_cells: f64,
    /// The course of the growth.
    pub curve: GrowthCurve,
    /// Days that a row lives; `None`: forever.
    pub lives_for: Option<f64>,
}

impl FileSpan {
    /// The span of the files of a table with this window of compaction and this lifetime of rows, in
    /// seconds, over a planning period.
    pub fn derive(window: Option<f64>, lifetime: Option<f64>, period_days: f64) -> Self {
        let (days, basis) = match (window, lifetime) {
            (Some(window), _) => (window / DAY, FileSpanBasis::Window),
            (None, Some(lifetime)) => (lifetime / DAY, FileSpanBasis::Retention),
            (None, None) => (period_days, FileSpanBasis::Period),
        };
        Self { days, basis }
    }

    /// The span in seconds.
    pub fn seconds(self) -> f64 {
        self.days * DAY
    }
}

impl Default for FileSpan {
    /// Five years, as growth is considered.
    fn default() -> Self {
        Self { days: 5.0 * 365.25, basis: FileSpanBasis::Period }
    }
}

impl CollectionGrowth {
    /// The days of average growth of a row after so many days.
    fn elapsed(&self, days: f64) -> f64 {
        self.curve.elapsed(self.lives_for.map_or(days, |most| days.min(most)))
    }
}

impl Quantiles {
    /// The same number of rows in every partition.
    pub const fn even(rows: f64) -> Self {
        Self { mean: rows, p50: rows, p95: rows, p99: rows, p999: rows, max: rows }
    }

    /// Applies a function to each figure.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self {
            mean: change(self.mean),
            p50: change(self.p50),
            p95: change(self.p95),
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
            p95: make(self.p95, other.p95),
            p99: make(self.p99, other.p99),
            p999: make(self.p999, other.p999),
            max: make(self.max, other.max),
        }
    }
}

impl Volume {
    /// Rows of a partition after a number of days (0: today).
    pub fn rows_after(&self, days: f64) -> Quantiles {
        if let Some(most) = self.grows_for {
            let days = self.rows_curve.elapsed_within(most, days);
            return self.per_day.map(|rows| rows * days);
        }
        let days = self.rows_curve.elapsed(days);
        self.today.zip(self.per_day, |today, daily| today + daily * days)
    }

    /// Whether partitions grow, and nothing ends it.
    pub fn is_unbounded(&self) -> bool {
        let by_collections = self.collections.row_bytes + self.collections.fixed_bytes > 0.0;
        self.grows_for.is_none() && self.per_day.p999 > 0.0
            || self.collections.lives_for.is_none() && by_collections
    }

    /// The dates of its curves, in days from today.
    pub fn curve_dates(&self) -> impl Iterator<Item = f64> {
        let curves = [self.rows_curve, self.partitions_curve, self.collections.curve];
        curves.into_iter().flat_map(|curve| curve.dates().collect::<Vec<_>>())
    }

    /// The days on which a figure may stop rising: where growth changes, and where what came before
    /// has expired. Ascending; none where nothing expires.
    fn turning_days(&self) -> Vec<f64> {
        let lives = [
            self.grows_for.filter(|_| !self.rows_curve.is_linear()),
            self.partitions_live_for.filter(|_| !self.partitions_curve.is_linear()),
        ];
        let lives = lives.into_iter().flatten().reduce(f64::max);
        let Some(lives) = lives else { return Vec::new() };
        let dates: Vec<f64> = self.curve_dates().collect();
        let mut days: Vec<f64> = dates.iter().flat_map(|day| [*day, day + lives]).collect();
        days.sort_by(f64::total_cmp);
        days
    }

    /// Days until a figure of this volume is above a limit; 0 when it is today, `None` when it never
    /// will be. Between the days on which growth turns, it may not fall and rise again.
    pub fn first_day(&self, limit: f64, figure: impl Fn(f64) -> f64) -> Option<f64> {
        if figure(0.0) > limit {
            return Some(0.0);
        }
        let mut from = 0.0;
        for to in self.turning_days().into_iter().chain([DAYS_MAX]) {
            if figure(to) > limit {
                return Some(bisect((from, to), limit, figure));
            }
            from = to;
        }
        None
    }

    /// The day within a time from today on which a partition at the 99.9th percentile is largest.
    pub fn fullest_day(&self, days: f64) -> f64 {
        let turning = self.turning_days().into_iter().filter(|day| *day < days);
        let size = |day: &f64| self.bytes_after(*day).p999;
        let later = |one: f64, other: f64| if size(&other) > size(&one) { other } else { one };
        turning.chain([0.0]).fold(days, later)
    }

    /// Partitions after a number of days.
    pub fn partitions_after(&self, days: f64) -> f64 {
        if let Some(lives) = self.partitions_live_for {
            let there = |days: f64| self.partitions_curve.elapsed_within(lives, days);
            let before = there(0.0);
            return if before > 0.0 { self.partitions * there(days) / before } else { 0.0 };
        }
        self.partitions + self.partitions_per_day * self.partitions_curve.elapsed(days)
    }

    /// Bytes of a row after a number of days.
    pub fn row_bytes_after(&self, days: f64) -> f64 {
        self.row_bytes + self.collections.row_bytes * self.collections.elapsed(days)
    }

    /// Cells of a row after a number of days.
    pub fn row_cells_after(&self, days: f64) -> f64 {
        self.row_cells + self.collections.row_cells * self.collections.elapsed(days)
    }

    /// Bytes of a partition after a number of days.
    pub fn bytes_after(&self, days: f64) -> Quantiles {
        let fixed =
            self.fixed_bytes + self.collections.fixed_bytes * self.collections.elapsed(days);
        let each = self.row_bytes_after(days);
        self.rows_after(days).map(|rows| fixed + rows * each)
    }

    /// Bytes of the whole table after a number of days, one copy of it.
    pub fn table_bytes_after(&self, days: f64) -> f64 {
        self.partitions_after(days) * self.bytes_after(days).mean
    }

    /// Days until a partition at the 99.9th percentile has more than `limit` bytes; 0 when it has
    /// today, `None` when it will not within a century.
    pub fn days_until(&self, limit: f64) -> Option<f64> {
        self.first_day(limit, |days| self.bytes_after(days).p999)
    }
}

/// Days until a figure that never falls is above a limit; 0 when it is today, `None` when it will not
/// be within a century.
pub fn first_day(limit: f64, figure: impl Fn(f64) -> f64) -> Option<f64> {
    if figure(0.0) > limit {
        return Some(0.0);
    }
    if figure(DAYS_MAX) <= limit {
        return None;
    }
    Some(bisect((0.0, DAYS_MAX), limit, figure))
}

/// The day between two on which a figure comes to be above a limit.
fn bisect((mut below, mut above): (f64, f64), limit: f64, figure: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(below, above);
        if figure(middle) > limit { above = middle } else { below = middle }
    }
    above
}
