//! Distributions as nodes report them.

/// Percentiles of a measured quantity; nodes report the upper bounds of buckets that are about 20 %
/// apart, so a figure is "at most this, and more than five sixths of it".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Percentiles {
    /// The number of measurements.
    pub count: Option<u64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The arithmetic mean.
    pub mean: Option<f64>,
    /// The median.
    pub p50: Option<f64>,
    /// Three quarters are at most this.
    pub p75: Option<f64>,
    /// 95 of 100 are at most this.
    pub p95: Option<f64>,
    /// 98 of 100 are at most this.
    pub p98: Option<f64>,
    /// 99 of 100 are at most this.
    pub p99: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
    /// Whether values were larger than the largest bucket, so that the upper figures are missing.
    pub is_overflowed: bool,
}

/// Latencies of one kind of request, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestLatency {
    /// The latencies in milliseconds.
    pub milliseconds: Percentiles,
    /// Requests per second.
    pub per_second: Option<f64>,
}
