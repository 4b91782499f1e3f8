//! Where an index suits: bands of distinct values, and limits of rates and rows.
//!
//! Published guides contradict one another. Some want few values for a secondary index (below 100),
//! some hundreds to thousands, and storage-attached indexes are said to be best above 1,000. They
//! agree once it is said what is counted: an index without a partition key queries every node, so
//! that a value should have some rows on each node, but not more than a query should return. The
//! bands are read by the search and by the rules of `check`; `docs/COST.md` explains them.

use std::fmt;

/// The share of the reads of a table up to which they may use an index without a partition key.
pub const READ_SHARE_MAX: f64 = 0.1;
/// Reads per second up to which they may, whatever their share.
pub const READ_RATE_RARE: f64 = 1.0 / 60.0;
/// Reads per second up to which they may.
pub const READ_RATE_MAX: f64 = 10.0;
/// Rows that an index should find at most.
pub const ROWS_MAX: f64 = 1_000.0;
/// Rows of a partition up to which an index may be searched within it.
pub const PARTITION_ROWS_MAX: f64 = 100_000.0;
/// Values below which there are very few.
pub const VERY_FEW_VALUES: f64 = 10.0;
/// Values from which on nearly every row has its own.
pub const NEARLY_UNIQUE_VALUES: f64 = 10_000.0;
/// The share of values among rows above which nearly every row has its own.
pub const NEARLY_UNIQUE_SHARE: f64 = 0.1;

/// The bands, by the values from which on they begin.
const BANDS: [(IndexBand, f64); 5] = [
    (IndexBand::VeryMany, NEARLY_UNIQUE_VALUES),
    (IndexBand::Many, 1_000.0),
    (IndexBand::Medium, 100.0),
    (IndexBand::Few, VERY_FEW_VALUES),
    (IndexBand::VeryFew, 0.0),
];

/// A band of distinct values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IndexBand {
    /// Below 10.
    VeryFew,
    /// Below 100.
    Few,
    /// Below 1,000.
    Medium,
    /// Below 10,000.
    Many,
    /// From 10,000 on, or more than one value in ten rows.
    VeryMany,
}

/// The architectures of indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexArchitecture {
    /// Storage-attached: each node has the entries of its files beside them.
    StorageAttached,
    /// Secondary: each node has a hidden table of its own rows.
    Secondary,
    /// Global: a table on its own partitions, as `ScyllaDB` has it.
    Global,
}

/// How well an index suits a column that is searched without a partition key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IndexFitness {
    /// A table suits better at any rate.
    Poor,
    /// For rare queries, whose duration is watched.
    Fair,
    /// For rare queries.
    Good,
}

impl IndexBand {
    /// The band of a column with so many values, in a table of so many rows.
    pub fn from_values(values: f64, rows: Option<f64>) -> Self {
        let is_share = rows.is_some_and(|rows| values > rows * NEARLY_UNIQUE_SHARE);
        if is_share && values >= VERY_FEW_VALUES {
            return Self::VeryMany;
        }
        let found = BANDS.iter().find(|(_, least)| values >= *least);
        found.map_or(Self::VeryFew, |(band, _)| *band)
    }

    /// How well an index suits it, without a partition key.
    pub const fn fitness(self, architecture: IndexArchitecture) -> IndexFitness {
        use IndexArchitecture::{Global, Secondary, StorageAttached};
        use IndexFitness::{Fair, Good, Poor};
        match (self, architecture) {
            // Each value has a large share of the table; a global index has it in one partition.
            (Self::VeryFew, _) => Poor,
            (Self::Few, _) => Fair,
            (_, StorageAttached | Global) | (Self::Medium, Secondary) => Good,
            (Self::Many, Secondary) => Fair,
            // Every node is asked for a row that one of them has.
            (Self::VeryMany, Secondary) => Poor,
        }
    }
}

impl fmt::Display for IndexBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VeryFew => "very few values",
            Self::Few => "few values",
            Self::Medium => "a medium number of values",
            Self::Many => "many values",
            Self::VeryMany => "very many values",
        })
    }
}

impl fmt::Display for IndexArchitecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StorageAttached => "a storage-attached index",
            Self::Secondary => "a secondary index",
            Self::Global => "a global index",
        })
    }
}

impl fmt::Display for IndexFitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Poor => "unsuitable for",
            Self::Fair => "acceptable for",
            Self::Good => "suitable for",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_by_values_and_rows() {
        for (values, rows, band) in [
            (2.0, None, IndexBand::VeryFew),
            (2.0, Some(5.0), IndexBand::VeryFew),
            (10.0, Some(1e6), IndexBand::Few),
            (195.0, Some(1e8), IndexBand::Medium),
            (1e3, Some(1e8), IndexBand::Many),
            (1e3, Some(5e3), IndexBand::VeryMany),
            (1e4, None, IndexBand::VeryMany),
        ] {
            assert_eq!(IndexBand::from_values(values, rows), band, "{values} of {rows:?}");
        }
    }

    #[test]
    fn a_secondary_index_suits_neither_a_flag_nor_an_email() {
        let secondary = |values| {
            IndexBand::from_values(values, Some(1e8)).fitness(IndexArchitecture::Secondary)
        };
        assert_eq!(
            [2.0, 50.0, 195.0, 5e3, 1e8].map(secondary),
            [
                IndexFitness::Poor,
                IndexFitness::Fair,
                IndexFitness::Good,
                IndexFitness::Fair,
                IndexFitness::Poor
            ]
        );
        let email = IndexBand::from_values(1e8, Some(1e8));
        assert_eq!(email.fitness(IndexArchitecture::StorageAttached), IndexFitness::Good);
    }
}
