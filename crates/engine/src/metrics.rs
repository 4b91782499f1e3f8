//! What `system_views` shows of executed statements: counters and histograms that many threads
//! increment at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Values below this have a bucket each.
const EXACT_VALUES: usize = 16;
/// Every further power of two is divided into this many buckets.
const BUCKETS_PER_POWER: usize = 4;
/// The powers of two that are covered; greater values are counted as the greatest.
const POWERS: usize = 36;
const BUCKETS: usize = EXACT_VALUES + POWERS * BUCKETS_PER_POWER;
/// The number of parts of a counter.
const SHARDS: usize = 8;

/// A histogram with an error of at most a quarter.
#[derive(Debug)]
pub(crate) struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    max: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: [const { AtomicU64::new(0) }; BUCKETS], max: AtomicU64::new(0) }
    }
}

impl Histogram {
    /// Adds a value.
    pub(crate) fn add(&self, value: u64) {
        if let Some(bucket) = self.buckets.get(bucket_of(value)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        if value > self.max.load(Ordering::Relaxed) {
            self.max.fetch_max(value, Ordering::Relaxed);
        }
    }

    /// Its figures; `None` if it has no values.
    pub(crate) fn summarize(&self) -> Option<HistogramSummary> {
        let counts = self.buckets.each_ref().map(|bucket| bucket.load(Ordering::Relaxed));
        let count: u64 = counts.iter().sum();
        let max = self.max.load(Ordering::Relaxed);
        let percentile = |thousandths: u64| {
            let wanted = (count * thousandths).div_ceil(1000);
            let mut seen = 0;
            let found = counts.iter().position(|bucket| {
                seen += bucket;
                seen >= wanted
            });
            found.map_or(max, greatest_of).min(max)
        };
        (count > 0).then(|| HistogramSummary {
            count,
            max,
            p50: percentile(500),
            p99: percentile(990),
            p999: percentile(999),
        })
    }
}

/// The figures of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HistogramSummary {
    pub(crate) count: u64,
    pub(crate) max: u64,
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    pub(crate) p999: u64,
}

fn bucket_of(value: u64) -> usize {
    let exact = usize::try_from(value).unwrap_or(usize::MAX);
    if exact < EXACT_VALUES {
        return exact;
    }
    let power = value.ilog2() as usize;
    let quarter = usize::try_from((value >> (power - 2)) & 3).unwrap_or(0);
    let bucket = EXACT_VALUES + (power - 4) * BUCKETS_PER_POWER + quarter;
    bucket.min(BUCKETS - 1)
}

/// The greatest value of a bucket.
fn greatest_of(bucket: usize) -> u64 {
    let Some(beyond) = bucket.checked_sub(EXACT_VALUES) else { return bucket as u64 };
    let (power, quarter) = (beyond / BUCKETS_PER_POWER + 4, beyond % BUCKETS_PER_POWER);
    (((quarter as u64) + 5) << (power - 2)) - 1
}

/// A counter in parts, so that threads do not wait for each other.
#[derive(Debug, Default)]
pub(crate) struct ShardedCounter([CounterShard; SHARDS]);

/// A part of a counter on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct CounterShard(AtomicU64);

impl ShardedCounter {
    /// Adds one.
    pub(crate) fn increment(&self) {
        thread_local! {
            static SHARD: usize = {
                static NEXT: AtomicUsize = AtomicUsize::new(0);
                NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS
            };
        }
        if let Some(shard) = self.0.get(SHARD.with(|shard| *shard)) {
            shard.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The sum of the parts.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|shard| shard.0.load(Ordering::Relaxed)).sum()
    }
}

/// The metrics of a table. Their memory is allocated on first use.
#[derive(Debug, Default)]
pub(crate) struct TableMetrics(OnceLock<Box<TableHistograms>>);

/// The histograms of a table; latencies are in microseconds.
#[derive(Debug, Default)]
pub(crate) struct TableHistograms {
    /// Reads of one partition.
    pub(crate) reads: Histogram,
    /// Reads of ranges of the ring.
    pub(crate) scans: Histogram,
    pub(crate) writes: Histogram,
    /// Live rows per read.
    pub(crate) rows: Histogram,
    /// Tombstones per read.
    pub(crate) tombstones: Histogram,
}

impl TableMetrics {
    /// The histograms to add to.
    pub(crate) fn histograms(&self) -> &TableHistograms {
        self.0.get_or_init(Box::default)
    }

    /// The histograms, if the table was read or written.
    pub(crate) fn get(&self) -> Option<&TableHistograms> {
        self.0.get().map(|histograms| &**histograms)
    }

    /// Counts what a read found.
    pub(crate) fn count_read(&self, rows: u64, tombstones: u64) {
        let histograms = self.histograms();
        histograms.rows.add(rows);
        histograms.tombstones.add(tombstones);
    }
}

/// The metrics of a node.
#[derive(Debug, Default)]
pub(crate) struct NodeMetrics {
    pub(crate) regular_statements: ShardedCounter,
    pub(crate) prepared_statements: ShardedCounter,
    /// Partitions per batch.
    pub(crate) counter_batches: Histogram,
    pub(crate) logged_batches: Histogram,
    pub(crate) unlogged_batches: Histogram,
}

/// The microseconds since a time.
pub(crate) fn elapsed_since(started_at: i64, now: i64) -> u64 {
    u64::try_from(now.saturating_sub(started_at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_values() {
        let mut last = 0;
        for value in (0..2000).chain([1 << 20, (1 << 20) + 1, 1 << 39, u64::MAX]) {
            let bucket = bucket_of(value);
            assert!(bucket >= last && bucket < BUCKETS, "{value}");
            if value < 1 << 39 {
                assert!(greatest_of(bucket) >= value, "{value}");
                assert!(bucket == 0 || greatest_of(bucket - 1) < value, "{value}");
            }
            last = bucket;
        }
    }

    #[test]
    fn figures_are_of_the_values() {
        let histogram = Histogram::default();
        assert_eq!(histogram.summarize(), None);
        for value in 1..=100 {
            histogram.add(value);
        }
        let found = histogram.summarize().unwrap();
        assert_eq!((found.count, found.max), (100, 100));
        assert!((50..=63).contains(&found.p50), "{found:?}");
        assert_eq!(found.p999, 100);
    }

    #[test]
    fn a_counter_is_the_sum_of_its_parts() {
        let counter = ShardedCounter::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| counter.increment()));
            }
        });
        assert_eq!(counter.total(), 4000);
    }
}
