//! Facts about keys: orders that serve queries, constants, rows that move.

mod clustering_order;
mod constant_partition;
mod key_updates;

pub(crate) use clustering_order::{ClusteringNeed, best_order, can_serve, clustering_needs};
pub(crate) use constant_partition::{
    ConstantPartition, constant_partition, is_inlined_by_programs,
};
pub(crate) use key_updates::{KeyUpdate, key_updates};
