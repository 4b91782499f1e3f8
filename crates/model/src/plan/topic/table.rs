//! Notes about the contents of a table: copies that multiply, collections, counters, views.

use std::fmt;

use cql::types::Type;

use crate::figures::{format_bytes, format_count, format_rate, pluralise};
use crate::plan::names::list_names;

/// Notes about a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableTopic {
    /// It stores a row for each combination of several lists.
    Multiplied {
        /// Its name.
        table: String,
        /// What multiplies its rows.
        factors: Vec<RowFactor>,
        /// Rows of one fact.
        rows: f64,
    },
    /// A collection is close to its recommended maximum.
    LargeCollection {
        /// The table's name.
        table: String,
        /// The column's name.
        column: String,
        /// Elements.
        items: f64,
        /// Bytes.
        bytes: f64,
        /// Elements recommended at most.
        items_max: f64,
        /// Bytes recommended at most.
        bytes_max: f64,
    },
    /// A collection grows, and nothing bounds it.
    GrowingCollection {
        /// The table's name.
        table: String,
        /// The column's name.
        column: String,
        /// The write that appends, with the elements per second, less those removed; `None` where
        /// the growth is declared.
        appends: Option<(String, f64)>,
        /// Elements a row and year.
        yearly: f64,
    },
    /// An array is too large for a collection: its elements are rows of a separate table.
    ElementsApart {
        /// The entity's name.
        entity: String,
        /// The attribute's name.
        attribute: String,
        /// Elements at p99.
        items: f64,
        /// Bytes at p99.
        bytes: f64,
        /// Whether it is a list, whose order and duplicates are lost.
        is_list: bool,
    },
    /// A collection is written whole more than once, with a tombstone each time.
    OverwrittenCollection {
        /// The table's name.
        table: String,
        /// The column's name.
        column: String,
        /// Its type.
        ty: Type,
        /// The writes, once for each statement.
        writes: Vec<String>,
        /// Whether a write adds to it or takes from it.
        changed_in_part: bool,
    },
    /// Counters are approximate.
    Counters {
        /// The table's name.
        table: String,
        /// The counters.
        columns: Vec<String>,
    },
    /// It is a materialized view.
    View {
        /// Its name.
        table: String,
        /// The name of its base.
        base: String,
    },
}

/// Something that multiplies rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowFactor {
    /// The array or entity.
    pub name: String,
    /// How many of it there are, on average.
    pub mean: f64,
    /// Whether their number grows.
    pub grows: bool,
}

impl fmt::Display for TableTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Multiplied { table, factors, rows } => write_multiplied(f, table, factors, *rows),
            Self::LargeCollection { table, column, items, bytes: size, items_max, bytes_max } => {
                write!(
                    f,
                    "`{table}.{column}` holds {} ({}), close to the recommended maximum of {} and {} for a collection",
                    pluralise(*items, "element"),
                    format_bytes(*size),
                    pluralise(*items_max, "element"),
                    format_bytes(*bytes_max)
                )
            }
            Self::GrowingCollection { table, column, appends, yearly } => {
                write!(f, "`{table}.{column}` grows without bound: ")?;
                if let Some((write, appended)) = appends {
                    write!(f, "`{write}` appends {}, ", format_rate(*appended))?;
                }
                write!(f, "{} per row and year", pluralise(*yearly, "element"))
            }
            Self::ElementsApart { entity, attribute, items, bytes, is_list } => {
                let order = if *is_list {
                    ", which preserves neither their order nor duplicates"
                } else {
                    ""
                };
                write!(
                    f,
                    "`{entity}.{attribute}` has {} ({}) at p99, too many for a collection (100 elements, 64 KB): \
                     each is stored as a row of a separate table{order}",
                    pluralise(*items, "element"),
                    format_bytes(*bytes)
                )
            }
            Self::OverwrittenCollection { table, column, writes, .. } => write!(
                f,
                "`{column}` of `{table}` is written as a whole by {}: a tombstone precedes its elements, and a read meets one in each row",
                list_names(writes)
            ),
            Self::Counters { table, columns } => write!(
                f,
                "{} of `{table}` may be inaccurate: a counter update that timed out may or may not have been applied, and must not be retried",
                list_names(columns)
            ),
            Self::View { table, base } => write!(
                f,
                "`{table}` is a materialized view of `{base}`: experimental, disabled by default, and it may diverge from its base without a way to repair it"
            ),
        }
    }
}

fn write_multiplied(
    f: &mut fmt::Formatter<'_>,
    table: &str,
    factors: &[RowFactor],
    rows: f64,
) -> fmt::Result {
    let names: Vec<String> = factors
        .iter()
        .map(|factor| format!("{} `{}`", format_count(factor.mean), factor.name))
        .collect();
    let growing = if factors.iter().any(|factor| factor.grows) { ", which grows" } else { "" };
    write!(
        f,
        "`{table}` stores a row for each combination of {}: {} for one fact{growing}",
        names.join(" and "),
        pluralise(rows, "row")
    )
}

impl TableTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::LargeCollection { .. } => &["CO002", "CO003"],
            Self::GrowingCollection { .. } => &["CO001", "CO006"],
            Self::OverwrittenCollection { .. } => &["CO007", "CO008"],
            Self::Counters { .. } => &["CN007"],
            Self::View { .. } => &["MV001", "SV025"],
            _ => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        let help = match self {
            Self::Multiplied { .. } => "read them with separate queries, or bound their number",
            Self::LargeCollection { .. } | Self::GrowingCollection { .. } => {
                "model the elements as a separate table with a reference, so that they can be paged"
            }
            Self::ElementsApart { attribute, .. } => {
                return format!("add `@items` to `{attribute}` if there are fewer");
            }
            Self::OverwrittenCollection { column, changed_in_part: true, .. } => {
                return format!(
                    "insert the row without `{column}`, then add to it: SET {column} = {column} + ?"
                );
            }
            Self::OverwrittenCollection { ty, .. } => {
                return format!(
                    "declare it {} if its elements are never changed individually",
                    ty.freeze()
                );
            }
            Self::Counters { .. } => {
                "mark what must be exact with @exact: rows are then counted, or written conditionally"
            }
            Self::View { .. } => {
                "set `materialized_views_enabled: true` in cassandra.yaml on every node and compare both regularly, or design without --allow-views"
            }
        };
        help.to_owned()
    }
}
