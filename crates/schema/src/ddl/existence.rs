//! Objects that must exist, and statements with IF EXISTS or IF NOT EXISTS.

use std::sync::Arc;

use cql::Span;

use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{CatalogChange, Keyspace};
use crate::refusal::{NameReason, Reason, refuse};

/// A keyspace that must exist.
pub(super) fn existing_keyspace<'c>(
    cx: &Context<'c>,
    name: &str,
    span: Span,
) -> Result<&'c Arc<Keyspace>> {
    match cx.catalog.keyspace(name) {
        Some(keyspace) => Ok(keyspace),
        None => refuse(NameReason::UnknownKeyspace { keyspace: name.to_string() }, span),
    }
}

/// The result of a statement whose object is missing, or exists already: no change with IF EXISTS
/// or IF NOT EXISTS, otherwise an error.
pub(super) fn skip_or_refuse(
    skip: bool,
    reason: impl Into<Reason>,
    span: Span,
) -> Result<CatalogChange> {
    if skip { Ok(CatalogChange::Nothing) } else { refuse(reason, span) }
}
