//! Notes about a write.

use std::fmt;

use crate::figures::{format_rate, pluralise};
use crate::plan::names::list_names;

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
    /// It writes without a condition what another write writes with one.
    MixedConditions {
        /// Its name.
        write: String,
        /// The table's name.
        table: String,
        /// The columns; none where whole rows are concerned.
        columns: Vec<String>,
        /// The writes with a condition.
        conditional: Vec<String>,
        /// Whether it deletes rows rather than changing them.
        is_delete: bool,
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
            Self::MixedConditions { write, table, columns, conditional, .. } => {
                let what = if columns.is_empty() {
                    format!("rows of `{table}`")
                } else {
                    format!("{} of `{table}`", list_names(columns))
                };
                write!(
                    f,
                    "`{write}` writes {what} without a condition, and {} with one: their timestamps come from different clocks, so that either may win, whichever is later",
                    list_names(conditional)
                )
            }
            Self::FindsNoRows { write } => {
                write!(f, "no table can be designed in which `{write}` finds its rows")
            }
        }
    }
}

impl WriteTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::MixedConditions { .. } => &["LW002"],
            Self::ManyRows { .. } | Self::LargeCascade { .. } | Self::FindsNoRows { .. } => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) const fn help(&self) -> &'static str {
        match self {
            Self::MixedConditions { is_delete: false, .. } => {
                "mark it with @strict, which makes it conditional, or run it only when no other write can be under way"
            }
            Self::MixedConditions { .. } => {
                "run it only when no other write of the row can be under way"
            }
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
