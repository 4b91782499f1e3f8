//! What schemas, statements and volumes tell together: facts about tables, volumes, the workload, keys and lifetimes.

pub(crate) mod keys;
pub(crate) mod lifetimes;
pub(crate) mod migration;
pub(crate) mod tables;
pub(crate) mod volumes;
pub(crate) mod workload;

pub(crate) use model::figures;

use crate::TableFacts;
use crate::project::PartitionSize;

/// Rows and bytes of the partitions of a table, with the arithmetic and how sure it is; `None` where no volume is known.
pub(crate) fn partition_size(facts: &TableFacts) -> Option<&PartitionSize> {
    facts.volume.partition.as_ref()
}
