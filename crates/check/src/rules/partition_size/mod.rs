//! PS: rules about the size of partitions.

mod ps001_unbounded_partition;
mod ps002_partition_bytes;
mod ps003_partition_cells;
mod ps004_partition_rows;
mod ps005_ttl_bounded_but_large;
pub(super) mod ps006_bucket_too_coarse;
mod ps007_size_forecast;
mod ps008_large_row;
mod ps009_large_cell;
mod ps010_capacity;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ps001_unbounded_partition::RULE,
    ps002_partition_bytes::RULE,
    ps003_partition_cells::RULE,
    ps004_partition_rows::RULE,
    ps005_ttl_bounded_but_large::RULE,
    ps006_bucket_too_coarse::RULE,
    ps007_size_forecast::RULE,
    ps008_large_row::RULE,
    ps009_large_cell::RULE,
    ps010_capacity::RULE,
];
