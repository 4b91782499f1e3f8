//! Candidate tables: a key over rows. What else they store is decided by the search.

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

pub(crate) use complete_table::columns_used;
pub(crate) use id::CandidateId;
pub(crate) use merge::merge_candidates;

/// At most so many candidates for one read: a few beside its keys, for those that are split in several ways.
const CANDIDATES_MAX: usize = mapping::MOST_KEYS + 8;

/// A candidate table.
#[derive(Clone, Debug)]
pub(crate) struct CandidateTable {
    /// Its key columns and nothing else (counters, too, where it is a table of counters, which has no room for other columns),
    /// and which rows it holds. Its sources are those of its key and all others that a column beside the key may come from:
    /// each of them joined by references that are never null, to one row.
    /// With a bucket or shards in its key they are as wanted; without, [`Frame::table_with`] adds what the bound asks for.
    ///
    /// It serves the read that it was made for, which says by what time it may be bucketed; any read may use it.
    /// Rows with a null in what [`crate::table_merge::implicit_not_null`] names are not in it, whatever else it is said to hold.
    pub(crate) table: PlannedTable,
}

/// A candidate with columns, as a table.
#[derive(Clone, Debug)]
pub(crate) struct CompleteTable {
    /// The table: sources that nothing uses left out, static columns marked, names given, split as the bound asks, with its
    /// volume. Its columns have no reasons.
    pub(crate) table: PlannedTable,
    /// For each source of the candidate the source of the table that it is. A column of the candidate whose source is left out may
    /// still be there, as the one that refers to it: [`model::dependency::Dependencies::nearest`] of the candidate names it.
    pub(crate) sources: Vec<Option<SourceId>>,
    /// The volume of the table that remembers its oldest bucket, if it needs one.
    pub(crate) memory: Option<Volume>,
}

/// All useful candidates for a read, the one that the mapping rules give first.
pub(crate) fn candidates_for(context: Context<'_>, read: &Read) -> Vec<CandidateTable> {
    let position = context.workload.reads.find_id(|other| other == read);
    let keys = mapping::keys_for(context, read, position);
    let mut candidates: Vec<CandidateTable> =
        keys.into_iter().map(|table| CandidateTable { table }).collect();
    candidates.extend(splits::split_variants(
        context,
        read,
        &candidates,
        CANDIDATES_MAX.saturating_sub(candidates.len()),
    ));
    candidates
}
