//! Statements that neither read nor write rows, nor change the schema.

use cql::statement::StatementKind;

use crate::answer::Outcome;
use crate::error::{Error, Result};
use crate::execution::Execution;
use crate::{auth, describe};

/// Carries out a command that was bound and checked.
pub(crate) fn run(execution: &Execution<'_>, statement: &StatementKind) -> Result<Outcome> {
    match statement {
        StatementKind::Use(target) => Ok(Outcome::Keyspace(target.keyspace.text.clone())),
        StatementKind::Truncate(truncate) => {
            let keyspace = truncate.table.keyspace.as_ref().map(|name| &*name.text);
            let keyspace = keyspace.or(execution.keyspace).unwrap_or_default();
            truncate_table(execution, keyspace, &truncate.table.name.text)?;
            Ok(Outcome::Void)
        }
        StatementKind::Describe(what) => describe::describe(execution, what).map(Outcome::Rows),
        other => auth::command(execution, other),
    }
}

/// Removes all rows of a table, and those of the views over it.
fn truncate_table(execution: &Execution<'_>, keyspace: &str, name: &str) -> Result<()> {
    let handle = execution.schema.table(keyspace, name);
    let handle = handle.ok_or_else(|| Error::invalid(format!("table {name} does not exist")))?;
    let views = handle.views.iter().filter_map(|view| execution.schema.table(keyspace, view));
    for table in std::iter::once(handle).chain(views) {
        execution.node.store.truncate(&table.id)?;
        for index in &table.indexes {
            index.clear();
        }
    }
    if keyspace == auth::KEYSPACE {
        execution.node.known_roles.forget();
    }
    Ok(())
}
