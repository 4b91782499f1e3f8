//! Bounds of the search (`--max-tables`, `--max-bytes`) that no design meets.

use std::fmt;

use crate::figures::{format_bytes, format_count, pluralise};

/// Notes about bounds that no design meets.
#[derive(Clone, Debug, PartialEq)]
pub enum BoundTopic {
    /// A query has no candidate table.
    NoCandidate,
    /// More tables are needed than allowed.
    Tables {
        /// Tables allowed.
        most: f64,
        /// Tables needed at least.
        least: f64,
        /// Whether that was proven, rather than found by a search that was cut short.
        certain: bool,
    },
    /// More bytes are needed than allowed.
    Bytes {
        /// Bytes allowed.
        most: f64,
        /// Bytes needed at least.
        least: f64,
        /// Whether that was proven, rather than found by a search that was cut short.
        certain: bool,
    },
}

impl fmt::Display for BoundTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (most, least, certain) = match self {
            Self::NoCandidate => return f.write_str("no candidate table serves all queries"),
            Self::Tables { most, least, certain } => {
                (pluralise(*most, "table"), format_count(*least), *certain)
            }
            Self::Bytes { most, least, certain } => {
                (format_bytes(*most), format_bytes(*least), *certain)
            }
        };
        let sure = if certain { "" } else { " (as far as searched)" };
        write!(
            f,
            "the queries cannot all be served within {most}; at least {least} are needed{sure}"
        )
    }
}

impl BoundTopic {
    /// The advice: one imperative.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NoCandidate => "exclude queries with --without",
            Self::Tables { .. } | Self::Bytes { .. } => {
                "raise the bound, or exclude queries with --without"
            }
        }
    }
}
