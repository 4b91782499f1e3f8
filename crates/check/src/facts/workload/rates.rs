//! How often a table is read and written, and how much of that falls on one partition.

use model::concept::{DAY, Skew, zipf_share};

use crate::vocabulary::times::is_time_bucket;
use crate::{Project, ReplayedStatement, TableFacts};

/// Reads per second, where the rate of any read is said.
pub(crate) fn read_rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    sum_rates(facts.reads(project).filter_map(ReplayedStatement::rate))
}

/// Writes per second: what its statements say, else the rows that it grows by.
pub(crate) fn write_rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    let said = sum_rates(facts.writes(project).filter_map(ReplayedStatement::rate));
    said.or_else(|| facts.volume.grows.map(|rows| rows / DAY))
}

fn sum_rates(rates: impl Iterator<Item = f64>) -> Option<f64> {
    rates.fold(None, |sum, rate| Some(sum.unwrap_or(0.0) + rate))
}

/// The share of all requests of a table that falls on its hottest partition: of the current span of time, if its key has one. `None`
/// where nobody says how many values the key takes.
pub(crate) fn hottest_share(facts: &TableFacts) -> Option<f64> {
    let mut share = 1.0;
    let mut said = false;
    for (at, column) in facts.table.partition_key().iter().enumerate() {
        // Everybody asks for the current one.
        if is_time_bucket(column) {
            continue;
        }
        let values = facts.volume.distinct(at)?.max(1.0);
        said = true;
        share *= match facts.volume.columns.get(at).map(|column| column.skew) {
            Some(Skew::Zipf(exponent)) => zipf_share(values, exponent),
            _ => 1.0 / values,
        };
    }
    said.then_some(share)
}
