//! Rules about partitions: their size, their values, their keys and where they lie.

mod dr001_large_partition;
mod dr002_partition_skew;
mod dr003_large_value;
mod dr004_growing_collection;
mod dr005_hot_partition;
mod dr006_node_skew;
mod dr007_few_partition_keys;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr001_large_partition::RULE,
    dr002_partition_skew::RULE,
    dr003_large_value::RULE,
    dr004_growing_collection::RULE,
    dr005_hot_partition::RULE,
    dr006_node_skew::RULE,
    dr007_few_partition_keys::RULE,
];
