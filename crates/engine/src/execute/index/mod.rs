//! Reads by an index: `search` selects one, `candidates` locates rows, `ann` scores vectors. Indexes are updated after every
//! commit.

mod ann;
mod candidates;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use ann::{AnnQuery, build_ann_query};
pub(crate) use candidates::{CandidatePartition, IndexCandidates};
pub(crate) use search::search;

use storage::{PartitionUpdate, Store};

use crate::node::commit::CommitObserver;
use crate::node::handle::TableHandle;

/// The commit observer that updates indexes.
pub(crate) struct IndexUpkeep<'a> {
    /// Counts their memory.
    pub(crate) store: &'a Store,
}

impl CommitObserver for IndexUpkeep<'_> {
    fn observe_write(&self, table: Option<&TableHandle>, update: &PartitionUpdate) {
        for index in table.into_iter().flat_map(|table| &table.indexes) {
            self.store.note_growth(index.index_update(update));
        }
    }
}
