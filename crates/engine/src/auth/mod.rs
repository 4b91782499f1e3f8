//! Roles and permissions.

use cql::statement::StatementKind;

use crate::answer::Outcome;
use crate::error::{Error, Result};
use crate::execution::Execution;

/// Carries out a statement about roles, permissions or identities.
pub(crate) fn command(_execution: &Execution<'_>, _statement: &StatementKind) -> Result<Outcome> {
    Err(Error::server("roles are not there yet"))
}

/// Refuses a statement that the role may not run.
pub(crate) fn check(_execution: &Execution<'_>, _statement: &StatementKind) -> Result<()> {
    Ok(())
}

/// Whether the role sees the columns of a table as they are, without their masks.
pub(crate) fn may_unmask(execution: &Execution<'_>, _table: &model::catalog::Table) -> bool {
    execution.role.is_none()
}
