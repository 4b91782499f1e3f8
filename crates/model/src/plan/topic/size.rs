//! The size of partitions and rows.

use std::fmt;

use super::{KeyColumns, KeyReplacement};
use crate::figures::{format_bytes, format_count, format_days, pluralise};
use crate::plan::names::list_names;

/// Notes about the size of partitions.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeTopic {
    /// They are above the bound.
    TooLarge {
        /// The table's name.
        table: String,
        /// Its size.
        excess: PartitionExcess,
        /// Why they are not split.
        obstacle: SplitObstacle,
    },
    /// They have many rows: within the bound, but above the warning threshold of servers.
    ManyRows {
        /// The table's name.
        table: String,
        /// Rows of one at p99.9.
        rows: f64,
        /// Bytes of one at p99.9.
        bytes: f64,
        /// Days after which it has them.
        days: f64,
        /// Rows that one may have.
        rows_max: f64,
        /// Rows from which servers warn.
        rows_warn: f64,
        /// The reads that return all rows of one.
        readers: Vec<String>,
    },
    /// One row has megabytes.
    LargeRow {
        /// The table's name.
        table: String,
        /// Bytes of a row.
        bytes: f64,
        /// Whether the server rejects a write of this size.
        is_refused: bool,
    },
}

/// The size of a partition that is too large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionExcess {
    /// Rows at p99.9.
    pub rows: f64,
    /// Bytes at p99.9.
    pub bytes: f64,
    /// Days after which it has them.
    pub days: f64,
    /// Rows that it may have.
    pub rows_max: f64,
    /// Bytes that it may have.
    pub bytes_max: f64,
    /// Days until it passes the bound: none or fewer if it does today, infinite where it does once
    /// it is full.
    pub crossed_after: f64,
}

/// Why a partition that is too large is not split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitObstacle {
    /// The user forces the key.
    ForcedKey {
        /// The key.
        key: KeyColumns,
        /// The replacement.
        replacement: KeyReplacement,
    },
    /// It is one row.
    SingleRow,
    /// No column of the clustering key can split it.
    NoColumn,
}

impl fmt::Display for SizeTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { table, excess, obstacle } => match obstacle {
                SplitObstacle::ForcedKey { key, .. } => write!(
                    f,
                    "the requested key `{key}` is rejected: a partition of `{table}` {excess}"
                ),
                SplitObstacle::SingleRow => write!(
                    f,
                    "a partition of `{table}` {excess}, and it is a single row, which cannot be split"
                ),
                SplitObstacle::NoColumn => write!(
                    f,
                    "a partition of `{table}` {excess}, and no column of its clustering key can split it"
                ),
            },
            Self::ManyRows { table, rows, bytes, days, rows_max, rows_warn, readers } => {
                write!(
                    f,
                    "a partition of `{table}` reaches {} and {} at p99.9 within {}: below the bound of {}, but above the {} from which ScyllaDB warns",
                    pluralise(*rows, "row"),
                    format_bytes(*bytes),
                    format_days(*days),
                    format_count(*rows_max),
                    format_count(*rows_warn)
                )?;
                match readers.as_slice() {
                    [] => Ok(()),
                    [_] => write!(f, ", and {} reads them all", list_names(readers)),
                    _ => write!(f, ", and {} read them all", list_names(readers)),
                }
            }
            Self::LargeRow { table, bytes, is_refused } => {
                let refused = if *is_refused {
                    ", and the server rejects a write of more than 16 MiB (half a commit log segment)"
                } else {
                    ""
                };
                write!(
                    f,
                    "a row of `{table}` has {}: each read of it takes as much heap{refused}",
                    format_bytes(*bytes)
                )
            }
        }
    }
}

impl SizeTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::TooLarge { .. } => {
                &["PS001", "PS002", "PS003", "PS004", "PS005", "PS006", "QP011", "QP013"]
            }
            Self::ManyRows { .. } => &["IX023", "PS003", "PS004", "QP011", "QP013"],
            Self::LargeRow { .. } => &["PS008", "PS009"],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        let help = match self {
            Self::TooLarge { obstacle: SplitObstacle::ForcedKey { replacement, .. }, .. } => {
                return replacement.to_string();
            }
            Self::TooLarge { obstacle: SplitObstacle::SingleRow, .. } => {
                "store the large value in parts: a row for each piece of it"
            }
            Self::TooLarge { obstacle: SplitObstacle::NoColumn, .. } => {
                "search by one more attribute, set @retain, or raise the bound (--max-partition, --max-rows)"
            }
            Self::ManyRows { readers, .. } if readers.is_empty() => {
                "use --max-rows 100k to split it further, at the cost of more partitions per read"
            }
            Self::ManyRows { .. } => {
                "give the query a LIMIT and read page by page, or split the partitions with --max-rows 100k"
            }
            Self::LargeRow { .. } => {
                "keep the large value in an object store and its address here, or store it in parts: a row for each piece"
            }
        };
        help.to_owned()
    }
}

impl fmt::Display for PartitionExcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "reaches {} and {} at p99.9 within {}, and exceeds {} or {} ",
            pluralise(self.rows, "row"),
            format_bytes(self.bytes),
            format_days(self.days),
            pluralise(self.rows_max, "row"),
            format_bytes(self.bytes_max)
        )?;
        if self.crossed_after <= 0.0 {
            f.write_str("today")
        } else if self.crossed_after.is_finite() {
            write!(f, "in {}", format_days(self.crossed_after))
        } else {
            f.write_str("once it is full")
        }
    }
}
