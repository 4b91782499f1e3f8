//! Parsers for option values: sizes, counts, rates, keys, targets.

use std::time::Duration;

use clap::ValueEnum;
use design::{ForcedKey, Target};
use model::concept::DAY;
use model::directive::quantity;
use model::workload::RateChange;

/// The values of `--target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetName {
    /// Apache Cassandra 4.1
    #[value(name = "cassandra-4.1")]
    Cassandra41,
    /// Apache Cassandra 5.0
    #[value(name = "cassandra-5.0", alias = "5.0")]
    Cassandra50,
    /// `ScyllaDB`
    #[value(name = "scylla", help = "ScyllaDB")]
    Scylla,
}

impl From<TargetName> for Target {
    fn from(name: TargetName) -> Self {
        match name {
            TargetName::Cassandra41 => Self::Cassandra41,
            TargetName::Cassandra50 => Self::Cassandra50,
            TargetName::Scylla => Self::Scylla,
        }
    }
}

/// Parses a positive number: `16`, `300k`.
pub(crate) fn count(text: &str) -> Result<f64, String> {
    quantity::parse_number(text)
        .filter(|value| *value > 0.0)
        .ok_or_else(|| "expected a number such as 300k".to_owned())
}

/// Parses a positive whole number: `16`, `300k`, `1M`.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    let digits = format!("{:.0}", count(text)?);
    digits
        .parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| "expected a number such as 300k".to_owned())
}

/// Parses a positive duration: `30s`, `5min`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = quantity::parse_duration(text).filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a duration such as 30s".to_owned())
}

/// Parses a time ahead in days: `6months`, `1y`.
pub(crate) fn days(text: &str) -> Result<f64, String> {
    let seconds = quantity::parse_duration(text.trim()).filter(|seconds| *seconds > 0.0);
    seconds.map(|seconds| seconds / DAY).ok_or_else(|| "expected times such as 6months".to_owned())
}

/// Parses a changed rate: `AddVideo x10`, `AddVideo 500/s`.
pub(crate) fn what_if(text: &str) -> Result<(String, RateChange), String> {
    let wrong = || "expected NAME x10 or NAME 500/s".to_owned();
    let (name, rate) = text.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
    let rate = rate.trim();
    let rate = if let Some(times) = rate.strip_prefix(['x', '×']) {
        RateChange::Times(quantity::parse_number(times.trim()).ok_or_else(wrong)?)
    } else {
        let (times, seconds) = quantity::parse_rate(rate).ok_or_else(wrong)?;
        RateChange::PerSecond(times / seconds)
    };
    Ok((name.to_owned(), rate))
}

/// Parses a positive size: `100MB`.
pub(crate) fn bytes(text: &str) -> Result<f64, String> {
    quantity::parse_size(text)
        .filter(|value| *value > 0.0)
        .ok_or_else(|| "expected a size such as 100MB".to_owned())
}

/// Parses a primary key for the table of a query: `Query=(a, b), c DESC`.
pub(crate) fn key(text: &str) -> Result<ForcedKey, String> {
    let wrong = || "expected QUERY=(a, b), c DESC".to_owned();
    let (read, key) = text.split_once('=').ok_or_else(wrong)?;
    let (partition, clustering) =
        key.trim().strip_prefix('(').and_then(|key| key.split_once(')')).ok_or_else(wrong)?;
    let names = |text: &str| {
        text.split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let clustering = names(clustering)
        .iter()
        .map(|column| match column.split_once(char::is_whitespace) {
            None => Ok((column.clone(), false)),
            Some((name, order)) if order.trim().eq_ignore_ascii_case("desc") => {
                Ok((name.to_owned(), true))
            }
            Some((name, order)) if order.trim().eq_ignore_ascii_case("asc") => {
                Ok((name.to_owned(), false))
            }
            Some(_) => Err(wrong()),
        })
        .collect::<Result<_, _>>()?;
    let partition = names(partition);
    if partition.is_empty() || read.trim().is_empty() {
        return Err(wrong());
    }
    Ok(ForcedKey { read: read.trim().to_owned(), partition, clustering })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_rates() {
        assert_eq!(what_if("AddVideo x10"), Ok(("AddVideo".to_owned(), RateChange::Times(10.0))));
        assert_eq!(what_if("AddVideo x0.5"), Ok(("AddVideo".to_owned(), RateChange::Times(0.5))));
        assert_eq!(
            what_if("AddVideo  500/s"),
            Ok(("AddVideo".to_owned(), RateChange::PerSecond(500.0)))
        );
        assert_eq!(what_if("A 120/min"), Ok(("A".to_owned(), RateChange::PerSecond(2.0))));
        for wrong in ["AddVideo", "AddVideo 10", "AddVideo x", "AddVideo x-1", "x10", ""] {
            assert!(what_if(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("5min"), Ok(Duration::from_secs(300)));
        for wrong in ["0s", "30", "-1s", "x", "1e99s", ""] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(whole("1M"), Ok(1_000_000));
        assert_eq!(whole("1.5k"), Ok(1_500));
        for wrong in ["0", "0.2", "-3", "x", "1GB"] {
            assert!(whole(wrong).is_err(), "{wrong}");
        }
    }
}
