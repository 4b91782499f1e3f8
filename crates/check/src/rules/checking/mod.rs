//! HL: rules about what the check itself could not do.

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    RuleEntry::server(include_str!("hl001_unused_allowance.md")),
    RuleEntry::server(include_str!("hl002_unknown_allowance.md")),
    RuleEntry::server(include_str!("hl003_unreasoned_allowance.md")),
    RuleEntry::server(include_str!("hl004_wrong_directive.md")),
];
