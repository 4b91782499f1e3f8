//! Distributions of rows over the values of a key.

use model::concept::{FanOut, Skew, zipf_share};
use model::plan::Quantiles;

/// The 95th percentile of the normal distribution, in standard deviations.
const NORMAL_P95: f64 = 1.644_853_627;
/// Its 99th percentile.
const NORMAL_P99: f64 = 2.326_347_874;
/// Its 99.9th percentile.
const NORMAL_P999: f64 = 3.090_232_306;

/// Rows per value of a key, as a distribution over the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distribution {
    pub(super) rows: Quantiles,
    /// How many values there are.
    pub(super) values: f64,
}

impl Distribution {
    /// The same number of rows under every value.
    pub(super) fn even(rows: f64, values: f64) -> Self {
        Self { rows: Quantiles::even(rows), values: values.max(1.0) }
    }

    /// The rows that refer to each of `parents` rows.
    pub(super) fn from_fan_out(fan_out: &FanOut, parents: f64) -> Self {
        let p99 = fan_out.p99.max(fan_out.mean);
        let max = fan_out.max.max(p99);
        let stated = FanOut { p99, max, ..*fan_out };
        let p50 = median(fan_out.mean, p99);
        let rows = Quantiles {
            mean: fan_out.mean,
            p50,
            p95: log_normal_p95(p50, p99),
            p99,
            p999: stated.p999(parents),
            max,
        };
        Self { rows, values: parents.max(1.0) }
    }

    /// `total` rows over `values` values with the popularity given by `skew`.
    pub(super) fn from_skew(total: f64, values: f64, skew: Skew) -> Self {
        let values = values.max(1.0);
        let Skew::Zipf(exponent) = skew else {
            return Self::even(total / values, values);
        };
        let first = total * zipf_share(values, exponent);
        // The value of which so many are larger: the 11th of 1,000 at the 99th percentile.
        let at = |rarity: f64| first * ((values * rarity).floor() + 1.0).powf(-exponent);
        let rows = Quantiles {
            mean: total / values,
            p50: at(0.5),
            p95: at(0.05),
            p99: at(0.01),
            p999: at(0.001),
            max: first,
        };
        Self { rows, values }
    }

    /// Each figure times a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { rows: self.rows.map(|rows| rows * factor), ..self }
    }

    /// The same shape around another mean.
    pub(super) fn with_mean(self, mean: f64) -> Self {
        if self.rows.mean > 0.0 {
            self.times(mean / self.rows.mean)
        } else {
            Self::even(mean, self.values)
        }
    }

    /// The number of rows that one value in `1 / rarity` exceeds, interpolated on a log scale of
    /// rarity between the known quantiles.
    fn quantile(&self, rarity: f64) -> f64 {
        let rows = &self.rows;
        let rarest = (1.0 / self.values).min(0.001);
        let points = [
            (0.5, rows.p50),
            (0.05, rows.p95),
            (0.01, rows.p99),
            (0.001, rows.p999),
            (rarest, rows.max),
        ];
        for pair in points.windows(2) {
            let [(common, low), (rare, high)] = [pair[0], pair[1]];
            if rarity >= rare && common > rare {
                let way = ((common / rarity).ln() / (common / rare).ln()).clamp(0.0, 1.0);
                return if low > 0.0 { low * (high / low).powf(way) } else { high * way };
            }
        }
        rows.max
    }

    /// Rows under each value when it has this many children, and each child has `below` rows.
    ///
    /// Large sums even out: a value is large because it has many children of the usual size, or the
    /// usual number of children of which one is as large as the largest of so many. The larger of
    /// both is taken.
    pub(super) fn compose(&self, below: &Self) -> Self {
        if self.rows.max <= 1.0 && self.rows.mean >= 1.0 {
            return Self { rows: below.rows, values: self.values };
        }
        let (children, each) = (self.rows.mean, below.rows.mean);
        let usual = (children - 1.0).max(0.0) * each;
        let tail = |many: f64, rarity: f64| {
            (many * each).max(usual + below.quantile(rarity / children.max(1.0)))
        };
        let rows = Quantiles {
            mean: children * each,
            p50: self.rows.p50 * each,
            p95: tail(self.rows.p95, 0.05),
            p99: tail(self.rows.p99, 0.01),
            p999: tail(self.rows.p999, 0.001),
            max: tail(self.rows.max, 1.0 / self.values.max(1_000.0)),
        };
        Self { rows, values: self.values }
    }

    /// Rows under each pair of values of two independent keys, the other's given as shares of all
    /// rows. Spreads multiply as those of log-normal distributions do; the largest pair is that of
    /// the two largest values.
    pub(super) fn cross(&self, shares: &Self) -> Self {
        let (own, other) = (&self.rows, &shares.rows);
        let p50 = own.p50 * other.p50;
        let excess = |at: f64, middle: f64| {
            if at > 0.0 && middle > 0.0 { (at / middle).ln().max(0.0) } else { 0.0 }
        };
        let tail = |a: f64, b: f64| p50 * excess(a, own.p50).hypot(excess(b, other.p50)).exp();
        let rows = Quantiles {
            mean: own.mean * other.mean,
            p50,
            p95: tail(own.p95, other.p95),
            p99: tail(own.p99, other.p99),
            p999: tail(own.p999, other.p999),
            max: own.max * other.max,
        };
        Self { rows, values: self.values * shares.values }
    }

    /// The sum of two distributions that are large for the same values.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { rows: self.rows.zip(other.rows, |a, b| a + b), values: self.values }
    }
}

/// Rows of `count` partitions that also vary at random, by a standard deviation that is given as a
/// share of the median. Independent deviations from the median add up by their squares.
pub(super) fn widen(rows: Quantiles, deviation: f64, count: f64) -> Quantiles {
    let wider = |rows_at: f64, normal: f64| {
        let random = normal * deviation * rows.p50;
        rows.p50 + (rows_at - rows.p50).max(0.0).hypot(random)
    };
    Quantiles {
        mean: rows.mean,
        p50: rows.p50,
        p95: wider(rows.p95, NORMAL_P95),
        p99: wider(rows.p99, NORMAL_P99),
        p999: wider(rows.p999, NORMAL_P999.min(largest_normal(count))),
        max: wider(rows.max, largest_normal(count)),
    }
}

/// The largest of so many values of the normal distribution, in standard deviations.
fn largest_normal(count: f64) -> f64 {
    let log = count.max(2.0).ln();
    (2.0 * log - (4.0 * std::f64::consts::PI * log).ln()).max(0.0).sqrt()
}

/// The 95th percentile of the log-normal distribution with this median and 99th percentile.
fn log_normal_p95(p50: f64, p99: f64) -> f64 {
    if p50 <= 0.0 || p99 <= p50 {
        return p50;
    }
    p50 * (p99 / p50).powf(NORMAL_P95 / NORMAL_P99)
}

/// The median of the log-normal distribution with this mean and 99th percentile. A p99 beyond 15
/// times the mean is more than any such distribution has: then that of the widest one.
fn median(mean: f64, p99: f64) -> f64 {
    if mean <= 0.0 || p99 <= mean {
        return mean;
    }
    let root = (NORMAL_P99 * NORMAL_P99 - 2.0 * (p99 / mean).ln()).max(0.0).sqrt();
    let deviation = NORMAL_P99 - root;
    mean * (-deviation * deviation / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use model::concept::{FanOut, Origin, Skew};

    use model::plan::Quantiles;

    use super::{Distribution, largest_normal, median, widen};

    fn assert_close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} is not {expected}");
    }

    fn fan_out(mean: f64, p99: f64, max: f64) -> FanOut {
        FanOut { mean, p99, max, p999: None, per: None, origin: Origin::Given }
    }

    #[test]
    fn an_each_alone_states_no_skew() {
        let spread = Distribution::from_fan_out(&fan_out(50.0, 50.0, 50.0), 1e6);
        assert_eq!(spread, Distribution::even(50.0, 1e6));
    }

    #[test]
    fn the_rare_lies_on_a_log_scale_of_rarity() {
        // 200 * (20,000 / 200)^(1 / (7 - 2)) = 200 * 100^0.2
        let spread = Distribution::from_fan_out(&fan_out(5.0, 200.0, 20_000.0), 1e7);
        assert_close(spread.rows.p999, 502.377);
        assert_close(spread.quantile(0.001), 502.377);
        assert_close(spread.quantile(1e-7), 20_000.0);
        assert_close(spread.quantile(1e-9), 20_000.0);
        assert_close(spread.quantile(0.01), 200.0);
        // Among a thousand values at most the rarest of a thousand is the largest.
        assert_close(
            Distribution::from_fan_out(&fan_out(5.0, 200.0, 20_000.0), 1_000.0).rows.p999,
            20_000.0,
        );
    }

    #[test]
    fn medians_of_log_normal_distributions() {
        // Median 100 and deviation 1: the mean is 100 e^0.5, the p99 100 e^2.3263.
        assert_close(median(100.0 * 0.5_f64.exp(), 100.0 * 2.326_347_874_f64.exp()), 100.0);
        assert_close(median(7.0, 7.0), 7.0);
        // Beyond 15 times the mean: e^(2.3263^2 / 2) = 14.97 times less than the mean.
        assert_close(median(5.0, 5_000.0), 5.0 / 14.97);
    }

    #[test]
    fn popular_values_have_more_rows() {
        let spread = Distribution::from_skew(25_000.0, 4.0, Skew::Zipf(1.0));
        assert_close(spread.rows.max, 12_000.0);
        // 12,000, 6,000, 4,000 and 3,000: two of four have at most 4,000.
        assert_close(spread.rows.p50, 4_000.0);
        assert_close(spread.rows.mean, 6_250.0);
        assert_close(spread.rows.p999, 12_000.0);
        assert_eq!(
            Distribution::from_skew(1e6, 200.0, Skew::Uniform),
            Distribution::even(5_000.0, 200.0)
        );
    }

    #[test]
    fn random_shards_are_uneven() {
        // 160 partitions of 125 rows: three quarters of their square root is the deviation.
        let rows = widen(Quantiles::even(125.0), (0.75_f64 / 125.0).sqrt(), 160.0);
        assert_close(rows.p50, 125.0);
        assert_close(rows.p99, 125.0 + 2.326_35 * 9.682_5);
        assert!((147.0..151.0).contains(&rows.max), "{rows:?}");
        // A skew that is much wider remains as it is.
        let skewed =
            Quantiles { mean: 200.0, p50: 100.0, p95: 500.0, p99: 1e3, p999: 5e3, max: 1e4 };
        let wider = widen(skewed, 0.1, 1e4);
        assert_close(wider.p99, 1e3);
        assert_close(wider.max, 1e4);
        for (count, largest) in [(100.0, 2.3), (1e3, 3.1), (1e6, 4.75)] {
            assert!((largest_normal(count) - largest).abs() < 0.1, "{count}");
        }
    }

    #[test]
    fn sums_even_out() {
        let users = Distribution::even(50_000.0, 200.0);
        let videos = Distribution::from_fan_out(&fan_out(5.0, 200.0, 20_000.0), 1e7);
        let both = users.compose(&videos);
        assert_close(both.rows.mean, 250_000.0);
        assert_close(both.rows.p50, 250_000.0);
        // 49,999 * 5 and one user of the largest.
        assert!(both.rows.max > 250_000.0 && both.rows.max <= 270_000.0, "{both:?}");
        // One child each: the same distribution.
        assert_eq!(Distribution::even(1.0, 1e7).compose(&videos), videos);
    }

    #[test]
    fn independent_keys_multiply() {
        let users = Distribution::from_fan_out(&fan_out(100.0, 1_000.0, 10_000.0), 1e6);
        let tenth = Distribution::even(0.1, 10.0);
        let both = users.cross(&tenth);
        assert_close(both.rows.mean, 10.0);
        assert_close(both.rows.p99, 100.0);
        assert_close(both.rows.max, 1_000.0);
        assert_close(both.values, 1e7);
    }
}
