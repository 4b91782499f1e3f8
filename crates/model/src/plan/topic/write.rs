//! Notes about a write.

use std::fmt;

use crate::figures::{format_rate, pluralise};

/// Notes about a write.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteTopic {
    /// It rewrites many rows each time.
    ManyRows {
        /// Its name.
        write: String,
        /// Rows each time.
        rows: f64,
        /// How often it runs, per second.
        rate: f64,
    },
    /// It writes many rows of other tables that refer to its own.
    LargeCascade {
        /// Its name.
        write: String,
        /// Rows for each row, at p99.
        rows: f64,
    },
    /// No table can be designed in which it finds its rows.
    FindsNoRows {
        /// Its name.
        write: String,
    },
}

impl fmt::Display for WriteTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyRows { write, rows, rate } => write!(
                f,
                "`{write}` writes {} each time ({} in total): it changes a value that is stored in every row",
                pluralise(*rows, "row"),
                format_rate(rows * rate)
            ),
            Self::LargeCascade { write, rows } => write!(
                f,
                "`{write}` deletes or changes {} that refer to its row, at p99",
                pluralise(*rows, "row")
            ),
            Self::FindsNoRows { write } => {
                write!(f, "no table can be designed in which `{write}` finds its rows")
            }
        }
    }
}

impl WriteTopic {
    /// The advice: one imperative.
    pub(super) const fn help(&self) -> &'static str {
        match self {
            Self::ManyRows { .. } => {
                "remove the changed columns from queries that return many rows, and look them up by key"
            }
            Self::LargeCascade { .. } => {
                "mark the row as deleted and delete the rows that refer to it in the background, a few at a time"
            }
            Self::FindsNoRows { .. } => "restrict the whole key of the row in WHERE",
        }
    }
}
