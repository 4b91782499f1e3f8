//! How often a table is read and written, and how much of that falls on one partition.

use model::concept::{DAY, Skew};

use super::class;
use crate::{Project, Seen, TableFacts};

/// Reads per second, where the rate of any read is said.
pub fn read_rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    sum(facts.reads(project).filter_map(Seen::rate))
}

/// Writes per second: what its statements say, else the rows that it grows by.
pub fn write_rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    let said = sum(facts.writes(project).filter_map(Seen::rate));
    said.or_else(|| facts.volume.grows.map(|rows| rows / DAY))
}

fn sum(rates: impl Iterator<Item = f64>) -> Option<f64> {
    rates.fold(None, |sum, rate| Some(sum.unwrap_or(0.0) + rate))
}

/// The share of all requests of a table that falls on its hottest partition: of the current span of time, if its key has one. `None`
/// where nobody says how many values the key takes.
pub fn hottest_share(facts: &TableFacts) -> Option<f64> {
    let mut share = 1.0;
    let mut said = false;
    for (at, column) in facts.table.partition_key().iter().enumerate() {
        // Everybody asks for the current one.
        if class::is_time_bucket(column) {
            continue;
        }
        let values = facts.volume.distinct(at)?.max(1.0);
        said = true;
        share *= match facts.volume.columns.get(at).map(|column| column.skew) {
            Some(Skew::Zipf(exponent)) => 1.0 / harmonic(values, exponent),
            _ => 1.0 / values,
        };
    }
    said.then_some(share)
}

/// The sum of 1/k^s for k up to n: the first ones are added, the others integrated.
fn harmonic(values: f64, exponent: f64) -> f64 {
    const ADDED: u32 = 1_000;
    let first: f64 =
        (1..=ADDED).map(f64::from).take_while(|k| *k <= values).map(|k| k.powf(-exponent)).sum();
    let (from, to) = (f64::from(ADDED) + 0.5, values + 0.5);
    if to <= from {
        return first;
    }
    let rest = if (exponent - 1.0).abs() < 1e-9 {
        (to / from).ln()
    } else {
        (to.powf(1.0 - exponent) - from.powf(1.0 - exponent)) / (1.0 - exponent)
    };
    first + rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn popularity_adds_up() {
        assert!((super::harmonic(1.0, 1.1) - 1.0).abs() < 1e-12);
        assert!((super::harmonic(100.0, 0.0) - 100.0).abs() < 1e-9);
        // H(1,000,000) is 14.3927.
        assert!((super::harmonic(1e6, 1.0) - 14.3927).abs() < 1e-3);
    }
}
