//! Statements that neither read nor write rows nor change the schema.

use cql::statement::StatementKind;

use crate::error::{Error, Result};
use crate::node::AUTH_KEYSPACE;
use crate::request_governor::TimedOperation;
use crate::result::ResultMessage;
use crate::session::auth;
use crate::session::context::StatementContext;
use crate::session::describe;
use crate::session::test_tables;

/// Executes a command that was bound and checked.
pub(crate) fn run(
    context: &StatementContext<'_>,
    statement: &StatementKind,
) -> Result<ResultMessage> {
    match statement {
        StatementKind::Use(target) => Ok(ResultMessage::Keyspace(target.keyspace.text.clone())),
        StatementKind::Truncate(truncate) => {
            let keyspace = truncate.table.keyspace.as_ref().map(|name| &*name.text);
            let keyspace = keyspace.or(context.keyspace).unwrap_or_default();
            context.start(TimedOperation::Truncate);
            truncate_table(context, keyspace, &truncate.table.name.text)?;
            Ok(ResultMessage::Void)
        }
        StatementKind::Describe(what) => describe::describe(context, what).map(ResultMessage::Rows),
        other => auth::execute(context, other),
    }
}

/// Truncates a table and its views.
fn truncate_table(context: &StatementContext<'_>, keyspace: &str, name: &str) -> Result<()> {
    let handle = context.schema.table(keyspace, name);
    let handle = handle.ok_or_else(|| Error::invalid(format!("table {name} does not exist")))?;
    if handle.definition.is_test_table() {
        return test_tables::truncate(context, name);
    }
    let views = handle.views.iter().filter_map(|view| context.schema.table(keyspace, view));
    for table in std::iter::once(handle).chain(views) {
        context.node.store.truncate(&table.id)?;
        for index in &table.indexes {
            index.clear();
        }
    }
    if keyspace == AUTH_KEYSPACE {
        context.node.note_role_write();
    }
    Ok(())
}
