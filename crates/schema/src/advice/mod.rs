//! What to write instead: advice for refusals whose author gave none.
//!
//! A refusal says what the server says. Advice says what a colleague would: the name that was meant, the relation that
//! is missing, the key that would serve the query. It is looked for from the special to the general.

mod general;
mod keys;
mod names;
mod texts;
mod values;

use cql::statement::write::WriteKind;
use cql::{QualifiedName, Statement, StatementKind};

use crate::{Catalog, Refusal};

/// What names in a statement are looked up in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The keyspace in use.
    pub(crate) keyspace: Option<&'a str>,
}

/// Adds advice to a refusal that has none.
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

/// The keyspace that a name means.
fn keyspace_of<'a>(scope: Scope<'a>, name: &'a QualifiedName) -> Option<&'a str> {
    name.keyspace.as_ref().map(|keyspace| &*keyspace.text).or(scope.keyspace)
}
