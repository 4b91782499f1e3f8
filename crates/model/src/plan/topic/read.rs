//! Notes about a read: many partitions, long lists, tombstones, an index that could serve it.

use std::fmt;

use super::IndexAlternative;
use crate::figures::{format_count, format_duration, format_rate, pluralise};

/// Notes about a read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadTopic {
    /// It reads many partitions.
    FanOut {
        /// Its name.
        read: String,
        /// Partitions each time.
        partitions: f64,
        /// Partitions at the 99th percentile of the rows that `@returns` states, where they are
        /// more.
        p99: Option<f64>,
        /// Partitions at most, where that is known and larger.
        at_most: Option<f64>,
        /// Whether there are so many that it is a scan.
        is_scan: bool,
        /// The limit that it exceeds.
        limit: f64,
        /// The cause.
        cause: FanOutCause,
    },
    /// It searches by a prefix, of any length.
    PrefixSearch {
        /// Its name.
        read: String,
        /// The attribute.
        attribute: String,
        /// Rows that a prefix of one character finds in the largest partition.
        at_most: f64,
    },
    /// It searches by a prefix that is a parameter, in which nothing is a wildcard.
    LiteralPrefix {
        /// Its name.
        read: String,
        /// The attribute.
        attribute: String,
    },
    /// `@returns` contradicts the volumes.
    ReturnedRows {
        /// Its name.
        read: String,
        /// The rows stated.
        stated: f64,
        /// The rows by the volumes.
        estimated: f64,
        /// Whether both are those of the 99th percentile.
        is_p99: bool,
    },
    /// It lists many values.
    LongList {
        /// Its name.
        read: String,
        /// The attribute that is one of them.
        attribute: String,
        /// How many.
        values: usize,
        /// How severe that is.
        verdict: ListVerdict,
    },
    /// It is given an array of values, of any length.
    UnknownList {
        /// Its name.
        read: String,
        /// The attribute that is one of them.
        attribute: String,
        /// Values that are safe.
        safe: usize,
    },
    /// It scans many tombstones.
    Tombstones {
        /// Its name.
        read: String,
        /// The table of its rows.
        table: String,
        /// Tombstones each time.
        met: f64,
        /// Tombstones made in the table, per second.
        made: f64,
        /// Seconds that they are kept.
        grace: f64,
        /// Tombstones from which the server warns or fails.
        threshold: f64,
        /// Whether the server fails it.
        fails: bool,
    },
    /// An index could replace its table.
    Index(IndexAlternative),
}

/// Why a read reads many partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanOutCause {
    /// It walks over all buckets.
    Buckets,
    /// It is given many values.
    Values,
    /// It visits all shards.
    Shards,
    /// It finds rows of many partitions by an index.
    Index,
    /// It looks up more for each row.
    Rows,
}

/// How severe a long list of values is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListVerdict {
    /// A coordinator waits for each of them.
    Waits {
        /// Values that are safe.
        safe: usize,
    },
    /// They are too many for one request.
    TooMany {
        /// Values that are safe.
        safe: usize,
    },
    /// So many are never sent.
    Never {
        /// Values that are sent at most.
        most: usize,
    },
}

impl fmt::Display for ReadTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FanOut { read, partitions, p99, at_most, is_scan, limit, .. } => {
                let verdict = if *is_scan { "a scan" } else { "a wide fan-out" };
                write!(f, "`{read}` reads {} partitions each time", format_count(*partitions))?;
                if let Some(p99) = p99 {
                    write!(f, ", {} at p99", format_count(*p99))?;
                }
                if let Some(most) = at_most {
                    write!(f, ", at most {}", format_count(*most))?;
                }
                write!(f, ": {verdict} (more than {})", format_count(*limit))
            }
            Self::PrefixSearch { read, attribute, at_most } => write!(
                f,
                "`{read}` with a prefix of one character of `{attribute}` returns up to {}",
                pluralise(*at_most, "row")
            ),
            Self::LiteralPrefix { read, attribute } => write!(
                f,
                "`{read}` is assumed to receive prefixes of `{attribute}` without `%`, `_` and `\\`, which LIKE takes for wildcards and escapes, and the design literally"
            ),
            Self::ReturnedRows { read, stated, estimated, is_p99 } => write!(
                f,
                "`{read}` is stated to return {}{}, but by the volumes it returns about {}",
                pluralise(*stated, "row"),
                if *is_p99 { " at p99" } else { "" },
                format_count(*estimated)
            ),
            Self::LongList { read, attribute, values, verdict } => {
                write!(f, "`{read}` lists {values} values of `{attribute}`: {verdict}")
            }
            Self::UnknownList { read, attribute, safe } => {
                write!(
                    f,
                    "`{read}` is assumed to receive at most {safe} values of `{attribute}` at a time"
                )
            }
            Self::Tombstones { read, table, met, made, grace, threshold, fails } => {
                let verdict = if *fails { "fails the read" } else { "warns" };
                write!(
                    f,
                    "`{read}` will read {} in `{table}` ({} created there, each kept for {}): Cassandra {verdict} at {}",
                    pluralise(*met, "tombstone"),
                    format_rate(*made),
                    format_duration(*grace),
                    pluralise(*threshold, "tombstone")
                )
            }
            Self::Index(index) => index.fmt(f),
        }
    }
}

impl fmt::Display for ListVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waits { safe } => {
                write!(f, "a coordinator waits for each of them (safe up to {safe})")
            }
            Self::TooMany { safe } => write!(f, "too many for one request (safe up to {safe})"),
            Self::Never { most } => write!(f, "never send more than {most}"),
        }
    }
}

impl ReadTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::FanOut { .. } => &["PK014", "PK015", "QP005", "QP006", "QP009", "QP014"],
            Self::LongList { .. } | Self::UnknownList { .. } => &["QP006", "QP007", "QP008"],
            Self::Tombstones { .. } => &["QP021", "TB001", "TB002", "TB004"],
            Self::PrefixSearch { .. }
            | Self::LiteralPrefix { .. }
            | Self::ReturnedRows { .. }
            | Self::Index(_) => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        let help = match self {
            Self::FanOut { cause, .. } => match cause {
                FanOutCause::Buckets => {
                    "give the query a LIMIT with ORDER BY the bucketed column, or a narrower range of it"
                }
                FanOutCause::Values => "request fewer values at a time",
                FanOutCause::Shards => {
                    "search by one more attribute, or allow larger partitions (--max-partition, --max-rows)"
                }
                FanOutCause::Index => {
                    "restrict the partition key as well, or give the query a smaller LIMIT"
                }
                FanOutCause::Rows => {
                    "select only what one table can hold, or give the query a smaller LIMIT"
                }
            },
            Self::PrefixSearch { .. } => {
                "search from three characters on in the application, or give the query a LIMIT"
            }
            Self::LiteralPrefix { .. } => {
                "pass the text itself, without the escapes that LIKE needs"
            }
            Self::ReturnedRows { .. } => {
                "correct @returns, or the @rows, @each and @distinct that it follows from"
            }
            Self::LongList { verdict, .. } => match verdict {
                ListVerdict::Waits { .. } => {
                    "watch the coordinator's latency, or list fewer values"
                }
                ListVerdict::TooMany { .. } => {
                    "send them in parts of 20, or store what they have in common as a column to search by"
                }
                ListVerdict::Never { .. } => {
                    "store what the values have in common as a column, and search by that"
                }
            },
            Self::UnknownList { .. } => {
                "send longer lists in parts of 20; never more than 500 at once"
            }
            Self::Tombstones { .. } => {
                "let rows expire (@retain) instead of deleting them, or continue from where the last read ended"
            }
            Self::Index(index) => return index.help(),
        };
        help.to_owned()
    }
}
