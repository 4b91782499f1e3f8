//! Reads a schema that must be valid: one file of CREATE statements.

use cql::{Diagnostic, DiagnosticLevel, ParsedSource};
use schema::Catalog;

use super::{keyspace, session};
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// A schema file after its statements were run.
pub(crate) struct LoadedSchema {
    pub(crate) parsed: ParsedSource,
    pub(crate) catalog: Catalog,
    /// The statements that a server would reject.
    pub(crate) errors: Vec<Diagnostic>,
}

/// Parses a schema and runs its statements.
pub(crate) fn read(source: &Source) -> Result<LoadedSchema, Failure> {
    let parsed = cql::parse(&source.text);
    let existing = keyspace::list_existing(&parsed.statements);
    let mut session = session::start(&existing, parsed.statements.iter())?;
    let mut errors = session::diagnostics(&mut session, &parsed);
    errors.retain(|diagnostic| diagnostic.level == DiagnosticLevel::Error);
    Ok(LoadedSchema { parsed, catalog: session.catalog, errors })
}

/// The failure for a schema without tables.
pub(crate) fn no_table(source: &Source) -> Failure {
    Failure::Stopped(Outcome::BadInput, format!("{} creates no table", source.name))
}
