//! Going on behind a refused option or type: the rest of the statement is taken as if the option were not there, and the type frozen
//! as the server wants it.
//!
//! The server names one option at a time and creates nothing. A reader wants to know all of them, and what else is to be said of
//! the table.

use cql::property::Property;
use cql::statement::table::TableChange;
use cql::{Span, Statement, StatementKind};
use schema::refusal::NameReason;
use schema::session::AcceptedStatement;
use schema::{Reason, Refusal, Session};

use super::type_repair;

/// Options of one statement that are left out at most: nobody writes more that are wrong.
const OPTIONS_MAX: usize = 16;

/// What becomes of a statement without the options that the server refuses, and all refusals. What is refused for another reason
/// has no outcome; its last refusal says why.
pub(super) fn run(
    session: &mut Session,
    statement: &Statement,
) -> (Option<AcceptedStatement>, Vec<Refusal>) {
    let mut refusals = Vec::new();
    let mut refusal = match session.run(statement) {
        Ok(accepted) => return (Some(accepted), refusals),
        Err(refusal) => *refusal,
    };
    let mut left = statement.clone();
    while refusals.len() < OPTIONS_MAX
        && (remove_option(&mut left, &refusal) || type_repair::mend(&mut left, &refusal))
    {
        refusals.push(refusal);
        refusal = match session.run(&left) {
            Ok(accepted) => return (Some(accepted), refusals),
            Err(refusal) => *refusal,
        };
    }
    if use_only_keyspace(session, &refusal)
        && let Ok(accepted) = session.run(&left)
    {
        refusals.push(refusal);
        return (Some(accepted), refusals);
    }
    assume_keyspace(session, statement, &refusal);
    refusals.push(refusal);
    (None, refusals)
}

/// Uses the keyspace of a script that creates one and names none: it is what was meant, and one error is enough.
fn use_only_keyspace(session: &mut Session, refusal: &Refusal) -> bool {
    if !matches!(refusal.reason, Reason::Name(NameReason::NoKeyspace)) {
        return false;
    }
    let mut own = session.catalog.keyspaces.values().filter(|keyspace| !keyspace.system);
    let (Some(only), None) = (own.next(), own.next()) else { return false };
    session.keyspace = Some(only.name.clone());
    true
}

/// A keyspace whose replication is refused is taken for created, so that its tables can be looked at.
fn assume_keyspace(session: &mut Session, statement: &Statement, refusal: &Refusal) {
    if let (StatementKind::CreateKeyspace(create), "SV024" | "SV025") =
        (&statement.kind, refusal.rule())
    {
        let used = session.keyspace.clone();
        // A name that the server does not accept stays refused.
        let _ = session.assume_keyspace(&create.name.text);
        session.keyspace = used;
    }
}

/// Takes the option that a refusal is about out of a statement; false if it is about something else.
fn remove_option(statement: &mut Statement, refusal: &Refusal) -> bool {
    let is_refused = |property: &Property| match refusal.rule() {
        "SV008" => &*property.name.text == "default_time_to_live",
        "SV016" | "SV017" | "SV018" | "SV019" => {
            crate::statement_object::contains_span(property.span, refusal.span)
        }
        _ => false,
    };
    if refusal.rule() == "SV014" && remove_compact_storage(statement, refusal.span) {
        return true;
    }
    let properties = match &mut statement.kind {
        StatementKind::CreateKeyspace(create) => &mut create.properties,
        StatementKind::CreateTable(create) => &mut create.options.properties,
        StatementKind::CreateView(create) => &mut create.options.properties,
        StatementKind::AlterTable(alter) => match &mut alter.change {
            TableChange::With(properties) => properties,
            _ => return false,
        },
        StatementKind::AlterView(alter) => &mut alter.properties,
        _ => return false,
    };
    let before = properties.len();
    properties.retain(|property| !is_refused(property));
    properties.len() < before
}

fn remove_compact_storage(statement: &mut Statement, refused: Span) -> bool {
    let StatementKind::CreateTable(create) = &mut statement.kind else { return false };
    let words = &mut create.options.compact_storage;
    let is_it = words.is_some_and(|words| words.is_same_place(refused));
    if is_it {
        *words = None;
    }
    is_it
}
