//! Helps for names that do not exist: suggestions of similar ones.

use cql::Statement;
use cql::spelling::did_you_mean;

use super::Scope;
use super::{keyspace_of, tables};
use crate::Catalog;
use crate::refusal::{FunctionReason, IndexReason, NameReason, Reason, ViewReason};

/// The maximum number of columns that are listed if none is similar.
const COLUMNS_LISTED_MAX: usize = 12;

pub(super) fn help(reason: &Reason, scope: Scope<'_>, statement: &Statement) -> Option<String> {
    match reason {
        Reason::Function(FunctionReason::Unknown { function: name }) => function(name),
        Reason::Name(reason) => match reason {
            NameReason::NoKeyspace => {
                Some("write keyspace.table, or USE a keyspace first".to_owned())
            }
            NameReason::UndefinedColumn { column: name, .. }
            | NameReason::UndefinedRenamed { column: name, .. } => column(scope, statement, name),
            NameReason::UnknownField { field: name, ty } => field(scope, ty, name),
            NameReason::UnknownKeyspace { keyspace: name }
            | NameReason::MissingKeyspace { keyspace: name }
            | NameReason::NoSuchKeyspace { keyspace: name } => Some(keyspace(name, scope.catalog)),
            NameReason::UnknownTable { table: name, .. }
            | NameReason::UnknownPlainTable { table: name }
            | NameReason::MissingTable { table: name } => table(name, scope, statement),
            NameReason::AbsentKeyspace { .. } => None,
        },
        Reason::Index(IndexReason::UndefinedTarget { column: name, .. })
        | Reason::View(ViewReason::UndefinedColumn { column: name, .. }) => {
            column(scope, statement, name)
        }
        _ => None,
    }
}

fn keyspace(name: &str, catalog: &Catalog) -> String {
    did_you_mean(name, catalog.keyspaces.keys())
        .unwrap_or_else(|| format!("create the keyspace {name} first"))
}

fn table(name: &str, scope: Scope<'_>, statement: &Statement) -> Option<String> {
    let keyspace = tables(statement)
        .into_iter()
        .find(|table| &*table.name.text == name)
        .and_then(|table| keyspace_of(scope, table))?;
    let keyspace = scope.catalog.keyspace(keyspace)?;
    let names = keyspace.tables.keys().chain(keyspace.views.keys());
    let meant = did_you_mean(name, names);
    Some(meant.unwrap_or_else(|| format!("create the table {name} first")))
}

fn column(scope: Scope<'_>, statement: &Statement, name: &str) -> Option<String> {
    let definitions = tables(statement)
        .into_iter()
        .filter_map(|table| scope.catalog.table(keyspace_of(scope, table)?, &table.name.text));
    let columns: Vec<&str> =
        definitions.flat_map(|table| table.columns()).map(|column| &*column.name).collect();
    let meant = did_you_mean(name.trim_matches('"'), columns.iter().copied());
    if meant.is_some() {
        return meant;
    }
    let shown = columns.iter().take(COLUMNS_LISTED_MAX).copied().collect::<Vec<_>>().join(", ");
    let more = if columns.len() > COLUMNS_LISTED_MAX { ", ..." } else { "" };
    (!columns.is_empty()).then(|| format!("use one of its columns: {shown}{more}"))
}

/// The help for a field that the user type does not have.
fn field(scope: Scope<'_>, ty: &str, name: &str) -> Option<String> {
    let mut types = scope.catalog.keyspaces.values().filter_map(|known| known.types.get(ty));
    let fields = &types.next()?.fields;
    let names: Vec<&str> = fields.iter().map(|(name, _)| &**name).collect();
    let meant = did_you_mean(name, names.iter().copied());
    Some(meant.unwrap_or_else(|| format!("use one of its fields: {}", names.join(", "))))
}

fn function(name: &str) -> Option<String> {
    let meant = match name {
        "dateof" => "toTimestamp",
        "unixtimestampof" => "toUnixTimestamp",
        "getdate" | "sysdate" | "current_time_stamp" => "currentTimestamp",
        "length" | "len" => return Some("compute the length in the application".to_owned()),
        _ => return None,
    };
    Some(format!("use {meant} instead"))
}
