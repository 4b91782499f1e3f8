//! Indexes of tables.

use std::fmt;

use super::{MappingReason, ReadPart};
use crate::figures::{format_count, pluralise};
use crate::id::ReadId;
use crate::index_guide::{IndexArchitecture, IndexBand};

/// An index on a column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedIndex {
    /// Its name.
    pub name: String,
    /// The column's name.
    pub column: String,
    /// `CREATE CUSTOM INDEX ... USING 'sai'` rather than the server's secondary index.
    pub attached: bool,
    /// The reads that find rows by it, and what of each.
    pub serves: Vec<(ReadId, ReadPart)>,
    /// The reason for it.
    pub reason: MappingReason,
    /// The figures of its searches, once the reads are planned.
    pub figures: Option<IndexFigures>,
}

/// What the searches of an index find, at worst of all reads that use it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexFigures {
    /// Distinct values of the column.
    pub values: f64,
    /// The band of so many values.
    pub band: IndexBand,
    /// The architecture of the index.
    pub architecture: IndexArchitecture,
    /// Rows that a search finds.
    pub rows: f64,
    /// Nodes that it queries; `None` for those of one partition.
    pub nodes: Option<f64>,
}

impl fmt::Display for IndexFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} distinct values", format_count(self.values))?;
        let rows = pluralise(self.rows.max(1.0), "row");
        match self.nodes {
            // Within a partition, any number of values does.
            None => write!(f, "; each search finds {rows} in one partition"),
            Some(nodes) => write!(
                f,
                " ({}: {} {}); each search finds {rows} on {}",
                self.band,
                self.band.fitness(self.architecture),
                self.architecture,
                pluralise(nodes, "node")
            ),
        }
    }
}
