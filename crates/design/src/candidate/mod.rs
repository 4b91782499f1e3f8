//! Candidate tables: a key over rows. What else they store is decided by the search.

mod column_splits;
mod complete_table;
mod id;
mod merge;
mod reasons;
mod source_map;
mod splits;

#[cfg(test)]
mod tests;

use model::id::{IdList, SourceId};
use model::plan::{PlannedTable, Volume};
use model::workload::Read;

use crate::{Context, mapping};

pub(crate) use column_splits::separate_splits;
pub(crate) use complete_table::columns_used;
pub(crate) use id::CandidateId;
pub(crate) use merge::merge_candidates;

/// Candidates for one read, at most: a few more than keys, for those that are split in several
/// ways.
const CANDIDATES_MAX: usize = mapping::MOST_KEYS + 8;

/// A candidate table.
#[derive(Clone, Debug)]
pub(crate) struct CandidateTable {
    /// Its key columns and nothing else (and counters, in a counter table, which has no room for
    /// other columns), and which rows it holds. Its sources are those of its key and all others
    /// that a column beside the key may come from: each joined by references that are never null,
    /// to one row. A bucket or shards in its key are kept as they are; without them,
    /// [`CandidateTable::table_with`] adds what the limits require.
    ///
    /// It serves the read that it was made for, which decides by what time it may be bucketed; any
    /// read may use it. Rows with a null in a column of [`crate::table_merge::implicit_not_null`]
    /// are not in it, whatever its row definition.
    pub(crate) table: PlannedTable,
    /// It is used only with columns with which it is split as with its key alone: for others there is
    /// the same key with the split that they require (`column_splits`).
    is_split_as_key: bool,
}

/// A candidate with columns, as a complete table.
#[derive(Clone, Debug)]
pub(crate) struct CompleteTable {
    /// The table: without unused sources, static columns marked, columns named, split as the limits
    /// require, with its volume. Its columns have no reasons.
    pub(crate) table: PlannedTable,
    /// For each source of the candidate the matching source of the table. A column of the candidate
    /// whose source is left out may still be there, as the one that refers to it:
    /// [`model::dependency::Dependencies::canonical_column`] of the candidate names it.
    pub(crate) sources: Vec<Option<SourceId>>,
    /// The volume of the table that remembers its oldest bucket, if it needs one.
    pub(crate) memory: Option<Volume>,
}

impl CandidateTable {
    /// The candidate with this key.
    pub(crate) const fn new(table: PlannedTable) -> Self {
        Self { table, is_split_as_key: false }
    }
}

/// All useful candidates for a read, the one that the mapping rules give first.
pub(crate) fn candidates_for(context: Context<'_>, read: &Read) -> Vec<CandidateTable> {
    let position = context.workload.reads.find_id(|other| other == read);
    let keys = mapping::keys_for(context, read, position);
    let mut candidates: Vec<CandidateTable> = keys.into_iter().map(CandidateTable::new).collect();
    candidates.extend(splits::split_variants(
        context,
        read,
        &candidates,
        CANDIDATES_MAX.saturating_sub(candidates.len()),
    ));
    candidates
}
