//! SY: rules about syntax.

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    RuleEntry::server(include_str!("sy001_syntax_error.md")),
    RuleEntry::server(include_str!("sy002_newer_syntax.md")),
];
