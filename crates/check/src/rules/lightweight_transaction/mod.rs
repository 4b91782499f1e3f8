//! LW: rules about lightweight transactions.

mod lw001_lwt_used;
mod lw002_lwt_mixed_with_plain_writes;
mod lw003_needless_if_not_exists;
mod lw006_lease_table;
mod lw007_lwt_cross_partition_invariant;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    lw001_lwt_used::RULE,
    lw002_lwt_mixed_with_plain_writes::RULE,
    lw003_needless_if_not_exists::RULE,
    RuleEntry::server(include_str!("lw004_lwt_with_in_or_timestamp.md")),
    RuleEntry::server(include_str!("lw005_lwt_condition_on_key.md")),
    lw006_lease_table::RULE,
    lw007_lwt_cross_partition_invariant::RULE,
];
