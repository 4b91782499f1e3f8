//! What is taken for done although the server refuses it, so that one wrong option is one finding and not a hundred.

use cql::property::Property;
use cql::{Diagnostic, Span, Statement, StatementKind};
use model::Session;

/// The codes of options that are not known or have wrong values.
const OPTIONS: [&str; 4] = ["SV016", "SV017", "SV018", "SV019"];

/// After a refusal: a table is created without the options that are wrong, and a keyspace with any replication.
pub(super) fn forgive(session: &mut Session, statement: &Statement, refusal: &Diagnostic) {
    match &statement.kind {
        StatementKind::CreateKeyspace(create) if refusal.rule == "SV024" => {
            let used = session.keyspace.clone();
            // A name that the server does not accept stays refused.
            let _ = session.assume_keyspace(&create.name.text);
            session.keyspace = used;
        }
        StatementKind::CreateTable(_) | StatementKind::CreateView(_)
            if OPTIONS.contains(&refusal.rule) =>
        {
            without_options(session, statement.clone(), refusal.span);
        }
        _ => {}
    }
}

/// Runs a statement again and again, each time without the option that was refused.
fn without_options(session: &mut Session, mut statement: Statement, refused: Span) {
    let mut refused = refused;
    while remove(&mut statement, refused) {
        match session.run(&statement) {
            Err(next) if OPTIONS.contains(&next.rule) => refused = next.span,
            _ => return,
        }
    }
}

/// Removes the option that a refusal speaks of; false where it is none of them.
fn remove(statement: &mut Statement, refused: Span) -> bool {
    let properties = match &mut statement.kind {
        StatementKind::CreateTable(create) => &mut create.options.properties,
        StatementKind::CreateView(create) => &mut create.options.properties,
        _ => return false,
    };
    let is_refused = |property: &Property| {
        property.span.start <= refused.start && refused.end <= property.span.end
    };
    let before = properties.len();
    properties.retain(|property| !is_refused(property));
    properties.len() < before
}
