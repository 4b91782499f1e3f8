//! The session that the statements of a command run in.

use std::time::{SystemTime, UNIX_EPOCH};

use cql::{Diagnostic, Statement, StatementKind};
use schema::Session;

use crate::outcome::{Failure, Outcome};

/// A session with these keyspaces; with one named `ks` if there are none and no statement names one.
pub(crate) fn start<'a>(
    keyspaces: &[String],
    mut statements: impl Iterator<Item = &'a Statement>,
) -> Result<Session, Failure> {
    let mut session = Session::with_system_tables();
    session.now_ms = now_ms();
    // The user's cluster has data centres that we do not know: any name will do.
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

/// The time, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}

/// What is wrong with one file, in the order of its text.
pub(crate) fn diagnostics(session: &mut Session, parsed: &cql::ParsedSource) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = parsed.errors.iter().cloned().map(Diagnostic::from).collect();
    let mut broken = parsed.errors.iter().peekable();
    for statement in &parsed.statements {
        while broken.next_if(|error| error.span.end < statement.span.start).is_some() {}
        let has_errors = broken.peek().is_some_and(|error| error.span.start <= statement.span.end);
        if !has_errors && let Err(refusal) = session.run(statement) {
            found.push((*refusal).into());
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.span.start);
    found
}
