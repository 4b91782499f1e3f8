//! Facts about volumes: how many values columns take, and which partitions grow without end.

mod cardinality;
mod growth;

pub(crate) use cardinality::{column_cardinality, partition_key_cardinality};
pub(crate) use growth::{
    UnboundedGrowth, is_one_thing, large_partition_evidence, unbounded_growth,
};
