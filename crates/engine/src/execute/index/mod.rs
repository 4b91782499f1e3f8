//! Reads by an index: where to look for rows, and how near vectors are. Indexes are kept up with what is written.

mod ann;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use ann::{AnnQuery, build_ann_query};
pub(crate) use search::{IndexCandidates, IndexHit, search};

use storage::PartitionUpdate;

use crate::node::commit::CommitObserver;
use crate::node::handle::TableHandle;

/// The indexes of tables, kept up with what is written to these.
pub(crate) struct IndexUpkeep;

impl CommitObserver for IndexUpkeep {
    fn observe_write(&self, table: Option<&TableHandle>, update: &PartitionUpdate) {
        for index in table.into_iter().flat_map(|table| &table.indexes) {
            index.index_update(update);
        }
    }
}
