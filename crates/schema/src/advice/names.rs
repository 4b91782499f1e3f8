//! Names that do not exist: the one that was meant.

use cql::Statement;
use cql::spelling::nearest;

use super::{keyspace_of, tables};
use crate::{Catalog, Refusal, Session};

/// How many columns are listed when none is near.
const LISTED: usize = 12;

pub(super) fn help(refusal: &Refusal, session: &Session, statement: &Statement) -> Option<String> {
    let message = &*refusal.message();
    if message.starts_with("No keyspace has been specified") {
        return Some("write keyspace.table, or USE a keyspace first".to_owned());
    }
    if let Some(name) = between(message, "Undefined column name ", " in table") {
        return column(session, statement, name);
    }
    if let Some(name) = between(message, "Unknown field '", "' in value") {
        return field(session, message, name);
    }
    if let Some(name) = between(message, "Unknown function '", "'") {
        return function(name);
    }
    keyspace(message, &session.catalog).or_else(|| table(message, session, statement))
}

/// What stands between two pieces of a message.
fn between<'m>(message: &'m str, before: &str, after: &str) -> Option<&'m str> {
    let (name, _) = message.strip_prefix(before)?.split_once(after)?;
    Some(name)
}

fn keyspace(message: &str, catalog: &Catalog) -> Option<String> {
    let name = between(message, "keyspace ", " does not exist")
        .or_else(|| between(message, "Keyspace '", "' do"))?;
    Some(match nearest(name, catalog.keyspaces.keys().map(|name| &**name)) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("create the keyspace {name} first"),
    })
}

fn table(message: &str, session: &Session, statement: &Statement) -> Option<String> {
    let name = between(message, "table ", " does not exist")
        .or_else(|| between(message, "Table '", "' doesn't exist"))?;
    let name = name.rsplit('.').next().unwrap_or(name).trim_matches('"');
    let keyspace = tables(statement)
        .into_iter()
        .find(|table| &*table.name.text == name)
        .and_then(|table| keyspace_of(session, table))?;
    let keyspace = session.catalog.keyspace(keyspace)?;
    let names = keyspace.tables.keys().chain(keyspace.views.keys());
    Some(match nearest(name, names.map(|name| &**name)) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("create the table {name} first"),
    })
}

fn column(session: &Session, statement: &Statement, name: &str) -> Option<String> {
    let found = tables(statement)
        .into_iter()
        .filter_map(|table| session.catalog.table(keyspace_of(session, table)?, &table.name.text));
    let columns: Vec<&str> =
        found.flat_map(|table| table.columns()).map(|column| &*column.name).collect();
    if let Some(meant) = nearest(name.trim_matches('"'), columns.iter().copied()) {
        return Some(format!("did you mean {meant}?"));
    }
    let shown = columns.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let more = if columns.len() > LISTED { ", ..." } else { "" };
    (!columns.is_empty()).then(|| format!("name one of its columns: {shown}{more}"))
}

/// `Unknown field 'x' in value of user defined type t`
fn field(session: &Session, message: &str, name: &str) -> Option<String> {
    let ty = message.rsplit_once(' ')?.1;
    let mut types = session.catalog.keyspaces.values().filter_map(|known| known.types.get(ty));
    let fields = &types.next()?.fields;
    let names: Vec<&str> = fields.iter().map(|(name, _)| &**name).collect();
    Some(match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("name one of its fields: {}", names.join(", ")),
    })
}

fn function(name: &str) -> Option<String> {
    let meant = match name {
        "dateof" => "toTimestamp",
        "unixtimestampof" => "toUnixTimestamp",
        "getdate" | "sysdate" | "current_time_stamp" => "currentTimestamp",
        "length" | "len" => return Some("take the length in the application".to_owned()),
        _ => return None,
    };
    Some(format!("use {meant} instead"))
}
