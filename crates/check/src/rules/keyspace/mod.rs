//! KS: rules about keyspaces and replication.

mod ks001_simple_strategy;
mod ks002_low_replication;
mod ks003_rf_above_nodes;
mod ks004_durable_writes_off;
mod ks005_dc_name_mismatch;
mod ks006_too_many_tables;
mod ks007_too_many_keyspaces;
mod ks008_table_per_tenant_or_period;
mod ks009_nts_auto_expansion;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ks001_simple_strategy::RULE,
    ks002_low_replication::RULE,
    ks003_rf_above_nodes::RULE,
    ks004_durable_writes_off::RULE,
    ks005_dc_name_mismatch::RULE,
    ks006_too_many_tables::RULE,
    ks007_too_many_keyspaces::RULE,
    ks008_table_per_tenant_or_period::RULE,
    ks009_nts_auto_expansion::RULE,
];
