//! TY: rules about data types.

mod ty001_stringly_typed;
mod ty002_cross_table_type_mismatch;
mod ty003_epoch_integer;
mod ty004_binary_payload;
mod ty005_json_in_text;
mod ty006_floating_money;
mod ty007_too_many_columns;
mod ty008_udt_in_partition_key;
mod ty009_volatile_frozen_udt;
mod ty010_varchar_text_mix;
mod ty011_timestamp_precision;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ty001_stringly_typed::RULE,
    ty002_cross_table_type_mismatch::RULE,
    ty003_epoch_integer::RULE,
    ty004_binary_payload::RULE,
    ty005_json_in_text::RULE,
    ty006_floating_money::RULE,
    ty007_too_many_columns::RULE,
    ty008_udt_in_partition_key::RULE,
    ty009_volatile_frozen_udt::RULE,
    ty010_varchar_text_mix::RULE,
    ty011_timestamp_precision::RULE,
];
