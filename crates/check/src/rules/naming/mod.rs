//! NM: rules about names.

mod nm001_quoted_or_reserved_identifier;
mod nm002_inconsistent_naming;
mod nm003_versioned_leftovers;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    nm001_quoted_or_reserved_identifier::RULE,
    nm002_inconsistent_naming::RULE,
    nm003_versioned_leftovers::RULE,
];
