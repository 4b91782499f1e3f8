//! PK: rules about partition keys.

mod pk001_low_cardinality_partition_key;
mod pk002_boolean_partition_key;
mod pk003_constant_partition_key;
mod pk004_time_as_sole_partition_key;
mod pk005_instant_as_partition_key;
pub(super) mod pk006_mutable_partition_key;
mod pk007_tenant_missing_from_key;
mod pk008_tenant_only_partition_key;
mod pk009_long_partition_key;
mod pk010_partition_key_never_restricted;
mod pk011_partition_key_over_specified;
mod pk012_compound_vs_composite_confusion;
mod pk013_bucket_not_in_partition_key;
mod pk014_bucket_too_fine;
mod pk015_shard_fanout;
mod pk016_artificial_sequence_key;
mod pk017_business_code_key;
mod pk018_hot_partition_forecast;
mod pk019_tiny_partitions_read_together;
mod pk020_text_time_bucket;
mod pk021_composite_key_column_order;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    pk001_low_cardinality_partition_key::RULE,
    pk002_boolean_partition_key::RULE,
    pk003_constant_partition_key::RULE,
    pk004_time_as_sole_partition_key::RULE,
    pk005_instant_as_partition_key::RULE,
    pk006_mutable_partition_key::RULE,
    pk007_tenant_missing_from_key::RULE,
    pk008_tenant_only_partition_key::RULE,
    pk009_long_partition_key::RULE,
    pk010_partition_key_never_restricted::RULE,
    pk011_partition_key_over_specified::RULE,
    pk012_compound_vs_composite_confusion::RULE,
    pk013_bucket_not_in_partition_key::RULE,
    pk014_bucket_too_fine::RULE,
    pk015_shard_fanout::RULE,
    pk016_artificial_sequence_key::RULE,
    pk017_business_code_key::RULE,
    pk018_hot_partition_forecast::RULE,
    pk019_tiny_partitions_read_together::RULE,
    pk020_text_time_bucket::RULE,
    pk021_composite_key_column_order::RULE,
];
