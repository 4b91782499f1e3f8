//! The tables of the keyspace `helenus`, by which tests control the node: a write takes effect on
//! the clock (`clock`), the faults of statements (`faults`) or the snapshots (`snapshots`), and a
//! read shows them.
//!
//! Writes are evaluated like those of other tables (`row_change`) but not stored. Statements that
//! are hit by a fault are run here (`injection`).

mod clock;
mod faults;
mod injection;
mod row_change;
mod snapshots;

use super::context::StatementContext;
use super::system::TableRows;
use crate::error::{Error, Result};
use crate::execute::write::{self, PlannedWrite};
use crate::node::Node;
use crate::node::test_hooks::TestHooks;
use crate::result::ResultMessage;
pub(super) use injection::run_with_faults;
use row_change::TestRowChange;

/// Executes a write to one of the tables.
pub(super) fn write(
    context: &StatementContext<'_>,
    planned: PlannedWrite<'_>,
) -> Result<ResultMessage> {
    let hooks = test_hooks(context.node)?;
    let handle = context.handle(&planned.write.table)?;
    for mutation in write::collect_changes(context, planned)? {
        let change = TestRowChange::new(&handle, &mutation.update)?;
        match &*handle.definition.name {
            "clock" => clock::change(context.node, hooks, &change)?,
            "faults" => faults::change(hooks, &change)?,
            _ => snapshots::change(context.node, hooks, &change)?,
        }
    }
    Ok(ResultMessage::Void)
}

/// Executes a TRUNCATE of one of the tables.
pub(super) fn truncate(context: &StatementContext<'_>, table: &str) -> Result<()> {
    let hooks = test_hooks(context.node)?;
    match table {
        "clock" => clock::reset(context.node, hooks),
        "faults" => hooks.faults.clear(),
        _ => snapshots::clear(hooks),
    }
    Ok(())
}

/// Adds the rows of one of the tables.
pub(super) fn add_rows(node: &Node, table: &str, rows: &mut TableRows<'_>) {
    let Some(hooks) = &node.test_hooks else { return };
    match table {
        "clock" => clock::add_row(hooks, rows),
        "faults" => faults::add_rows(hooks, rows),
        _ => snapshots::add_rows(hooks, rows),
    }
}

fn test_hooks(node: &Node) -> Result<&TestHooks> {
    node.test_hooks.as_ref().ok_or_else(|| Error::server("the node was not opened for tests"))
}
