//! PT: rules about portability between products and versions.

mod pt001_keyspaces_unsupported;
mod pt002_astra_unsupported;
mod pt003_scylla_differences;
mod pt005_version_gated_syntax;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    pt001_keyspaces_unsupported::RULE,
    pt002_astra_unsupported::RULE,
    pt003_scylla_differences::RULE,
    pt005_version_gated_syntax::RULE,
];
