//! The session in which statements are checked against a schema.

use std::time::{SystemTime, UNIX_EPOCH};

use cql::{Diagnostic, Statement, StatementKind};
use schema::Session;

use crate::outcome::{Failure, Outcome};

/// A session with these keyspaces; with a keyspace `ks` if there are none and no statement creates
/// or uses one.
pub(crate) fn start<'a>(
    keyspaces: &[String],
    mut statements: impl Iterator<Item = &'a Statement>,
) -> Result<Session, Failure> {
    let mut session = Session::with_system_tables();
    session.now_ms = now_ms();
    // The data centres of the user's cluster are unknown: accept any name.
    session.catalog.datacenters.clear();
    let refused =
        |refusal: Box<schema::Refusal>| Failure::Stopped(Outcome::BadInput, refusal.message());
    for keyspace in keyspaces {
        session.assume_keyspace(keyspace).map_err(refused)?;
    }
    let names_keyspaces = |statement: &Statement| {
        matches!(statement.kind, StatementKind::CreateKeyspace(_) | StatementKind::Use(_))
    };
    if keyspaces.is_empty() && !statements.any(names_keyspaces) {
        session.assume_keyspace("ks").map_err(refused)?;
    }
    Ok(session)
}

/// The current time, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}

/// The diagnostics of a file, in the order of its text. Statements with syntax errors are not run.
pub(crate) fn diagnostics(session: &mut Session, parsed: &cql::ParsedSource) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> =
        parsed.errors.iter().cloned().map(Diagnostic::from).collect();
    let mut errors = parsed.errors.iter().peekable();
    for statement in &parsed.statements {
        while errors.next_if(|error| error.span.end < statement.span.start).is_some() {}
        let has_errors = errors.peek().is_some_and(|error| error.span.start <= statement.span.end);
        if !has_errors && let Err(refusal) = session.run(statement) {
            diagnostics.push((*refusal).into());
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    diagnostics
}
