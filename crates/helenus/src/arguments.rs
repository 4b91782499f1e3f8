//! Values of the command line: sizes, counts, keys, targets.

use clap::ValueEnum;
use design::{ForcedKey, Target};
use model::directive::quantity;

/// Names of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetName {
    /// Apache Cassandra 4.1
    #[value(name = "cassandra-4.1")]
    Cassandra41,
    /// Apache Cassandra 5.0
    #[value(name = "cassandra-5.0", alias = "5.0")]
    Cassandra50,
    /// `ScyllaDB`
    #[value(name = "scylla")]
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

/// A number: `16`, `300k`.
pub(crate) fn count(text: &str) -> Result<f64, String> {
    quantity::number(text)
        .filter(|value| *value > 0.0)
        .ok_or_else(|| "write a number such as 300k".to_owned())
}

/// A size: `100MB`.
pub(crate) fn bytes(text: &str) -> Result<f64, String> {
    quantity::size(text)
        .filter(|value| *value > 0.0)
        .ok_or_else(|| "write a size such as 100MB".to_owned())
}

/// A key: `Query=(a, b), c DESC`.
pub(crate) fn key(text: &str) -> Result<ForcedKey, String> {
    let wrong = || "write it as QUERY=(a, b), c DESC".to_owned();
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
