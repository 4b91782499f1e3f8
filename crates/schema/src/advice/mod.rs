//! Helps for errors that have none of their own.
//!
//! The message of an error is the server's. A help adds what to write instead: the name that was
//! meant (`names`), the missing relation or a key that would serve the query (`keys`), the format
//! of a value (`values`), a remedy for the reason (`texts`), and finally one for the rule
//! (`general`).

mod general;
mod keys;
mod names;
mod texts;
mod values;

use cql::statement::write::WriteKind;
use cql::{QualifiedName, Statement, StatementKind};

use crate::{Catalog, Refusal};

/// The catalog and keyspace in which names are resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The keyspace in use.
    pub(crate) keyspace: Option<&'a str>,
}

/// Adds a help to an error that has none.
pub(crate) fn add_advice(refusal: &mut Refusal, scope: Scope<'_>, statement: &Statement) {
    if refusal.help.is_none() {
        refusal.help = names::help(&refusal.reason, scope, statement)
            .or_else(|| keys::help(&refusal.reason, scope, statement))
            .or_else(|| values::help(&refusal.reason))
            .or_else(|| texts::help(&refusal.reason).map(str::to_owned))
            .or_else(|| general::help(refusal.rule()).map(str::to_owned));
    }
}

/// The tables that a query or write names.
fn tables(statement: &Statement) -> Vec<&QualifiedName> {
    match &statement.kind {
        StatementKind::Select(select) => vec![&select.table],
        StatementKind::Insert(insert) => vec![&insert.table],
        StatementKind::Update(update) => vec![&update.table],
        StatementKind::Delete(delete) => vec![&delete.table],
        StatementKind::Batch(batch) => batch
            .statements
            .iter()
            .map(|statement| match &statement.kind {
                WriteKind::Insert(insert) => &insert.table,
                WriteKind::Update(update) => &update.table,
                WriteKind::Delete(delete) => &delete.table,
            })
            .collect(),
        StatementKind::AlterTable(alter) => vec![&alter.name],
        StatementKind::DropTable(drop) => vec![&drop.name],
        StatementKind::Truncate(truncate) => vec![&truncate.table],
        StatementKind::CreateIndex(index) => vec![&index.table],
        StatementKind::CreateView(view) => vec![&view.table],
        _ => Vec::new(),
    }
}

/// The keyspace of a name.
fn keyspace_of<'a>(scope: Scope<'a>, name: &'a QualifiedName) -> Option<&'a str> {
    name.keyspace.as_ref().map(|keyspace| &*keyspace.text).or(scope.keyspace)
}
