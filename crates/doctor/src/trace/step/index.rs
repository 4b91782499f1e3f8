//! Secondary indexes: their choice and their searches.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence, number};

/// A step about indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexStep {
    /// An index was chosen by its estimated number of rows.
    Chosen {
        /// Its name.
        name: String,
    },
    /// No index serves the statement.
    NoneApplies,
    /// The rows are read through indexes.
    Reading {
        /// The table, qualified.
        table: String,
        /// The names of the indexes, separated by commas.
        names: String,
    },
    /// A storage-attached index was searched.
    Searched {
        /// Indexes of `SSTable`s.
        sstable_indexes: u64,
        /// Segments of them.
        segments: u64,
        /// Rows that were read and tested.
        rows: u64,
        /// Partitions that were read.
        partitions: u64,
        /// Microseconds.
        micros: u64,
    },
    /// Of several storage-attached indexes, the most selective ones were taken.
    Intersected {
        /// Indexes that were taken.
        taken: u64,
        /// Indexes that could have been.
        of: u64,
    },
    /// A vector index was searched.
    NearestSearched {
        /// Nodes of the graph that were visited.
        visited: u64,
    },
    /// A table of index entries is read first (`ScyllaDB`).
    Consulted {
        /// The name of the index.
        name: String,
    },
}

impl IndexStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Searched { .. } | Self::NearestSearched { .. } => Mark::End,
            _ => Mark::Start,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<IndexStep> {
    if is_sentence("No applicable indexes found", sentence) {
        return Some(IndexStep::NoneApplies);
    }
    let chosen = "Index mean cardinalities are {}. Scanning with {}.";
    if let Some([_, name]) = fields(chosen, sentence) {
        return Some(IndexStep::Chosen { name: name.to_owned() });
    }
    let custom = "Command contains a custom index expression, using target index {}";
    if let Some([name]) = fields(custom, sentence) {
        return Some(IndexStep::Chosen { name: name.to_owned() });
    }
    let one = "Executing read on {} using index {}";
    let several = "Executing read on {} using indexes {}";
    if let Some([table, names]) = fields(several, sentence).or_else(|| fields(one, sentence)) {
        return Some(IndexStep::Reading { table: table.to_owned(), names: names.to_owned() });
    }
    parse_attached(sentence)
}

/// The sentences of storage-attached indexes.
fn parse_attached(sentence: &str) -> Option<IndexStep> {
    let searched = "Index query accessed memtable indexes, {}, and {}, post-filtered {} in {}, and took {} microseconds.";
    if let Some([indexes, segments, rows, partitions, micros]) = fields(searched, sentence) {
        return Some(IndexStep::Searched {
            sstable_indexes: number(indexes)?,
            segments: number(segments)?,
            rows: number(rows)?,
            partitions: number(partitions)?,
            micros: number(micros)?,
        });
    }
    if let Some([taken, _, of]) = fields("Selecting {} {} out of {} indexes", sentence) {
        return Some(IndexStep::Intersected { taken: number(taken)?, of: number(of)? });
    }
    let graphs = [
        "ANN search visited {} in-memory nodes to return {} results",
        "DiskANN search visited {} nodes to return {} results",
    ];
    let [visited, _] = graphs.iter().find_map(|graph| fields(graph, sentence))?;
    Some(IndexStep::NearestSearched { visited: number(visited)? })
}
