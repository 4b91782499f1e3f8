//! Reads by an index: `search` locates rows, `ann` scores vectors. Indexes are updated after every
//! commit.

mod ann;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use ann::{AnnQuery, build_ann_query};
pub(crate) use search::{CandidatePartition, IndexCandidates, search};

use storage::PartitionUpdate;

use crate::node::commit::CommitObserver;
use crate::node::handle::TableHandle;

/// The commit observer that updates indexes.
pub(crate) struct IndexUpkeep;

impl CommitObserver for IndexUpkeep {
    fn observe_write(&self, table: Option<&TableHandle>, update: &PartitionUpdate) {
        for index in table.into_iter().flat_map(|table| &table.indexes) {
            index.index_update(update);
        }
    }
}
