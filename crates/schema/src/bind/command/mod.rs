//! Statements that neither read nor write rows nor change the schema: USE, TRUNCATE, DESCRIBE, and
//! those on roles, permissions and identities.
//!
//! The server resolves their names late. Its errors are determined when a command is bound, and
//! kept for the step in which the server raises them.

mod describe;
mod permission;
mod role;

use cql::QualifiedName;
use cql::statement::StatementKind;
use cql::statement::describe::Describe;
use cql::statement::keyspace::Use;
use cql::statement::table::Truncate;

use super::context::Context;
use crate::refusal::{CommandReason, NameReason, refuse};
use crate::{Refusal, Result};

/// A bound command, with the errors that the server would raise.
#[derive(Clone, Debug, Default)]
pub struct BoundCommand {
    /// The error of its validation: raised by PREPARE, and by execution unless another error
    /// precedes it.
    pub on_validation: Option<Box<Refusal>>,
    /// The error of its execution: of permissions before the validation, all others after it.
    pub on_execution: Option<Box<Refusal>>,
}

impl BoundCommand {
    fn from_validation(result: Result<()>) -> Self {
        Self { on_validation: result.err(), on_execution: None }
    }

    fn from_execution(result: Result<()>) -> Self {
        Self { on_validation: None, on_execution: result.err() }
    }

    /// The result of PREPARE.
    pub(super) fn validate(&self) -> Result<()> {
        self.on_validation.clone().map_or(Ok(()), Err)
    }

    /// The result of the execution.
    pub(super) fn check_execution(&self) -> Result<()> {
        self.on_execution.clone().map_or(Ok(()), Err).and_then(|()| self.validate())
    }
}

/// Binds a command; `None` for other statements.
pub(super) fn bind(cx: &Context<'_>, kind: &StatementKind) -> Option<Result<BoundCommand>> {
    let bound = match kind {
        StatementKind::Use(statement) => Ok(bind_use(cx, statement)),
        StatementKind::Truncate(statement) => bind_truncate(cx, statement),
        StatementKind::Describe(statement) => Ok(bind_describe(cx, statement)),
        StatementKind::Role(statement) => role::bind_definition(statement, cx.span),
        StatementKind::GrantPermission(statement) => permission::bind_grant(cx, statement),
        StatementKind::ListPermissions(statement) => permission::bind_list(cx, statement),
        StatementKind::DropRole(statement) => Ok(role::bind_drop(&statement.name, cx.span)),
        StatementKind::ListRoles(_)
        | StatementKind::GrantRole(_)
        | StatementKind::AddIdentity(_)
        | StatementKind::DropIdentity(_) => Ok(role::refuse_anonymous(cx.span)),
        _ => return None,
    };
    Some(bound)
}

fn bind_use(cx: &Context<'_>, statement: &Use) -> BoundCommand {
    let name = &statement.keyspace;
    let exists = cx.catalog.keyspace(&name.text).is_some();
    let missing = || {
        Box::new(Refusal::new(
            NameReason::NoSuchKeyspace { keyspace: name.text.to_string() },
            name.span,
        ))
    };
    BoundCommand::from_execution(exists.then_some(()).ok_or_else(missing))
}

fn bind_truncate(cx: &Context<'_>, statement: &Truncate) -> Result<BoundCommand> {
    let name: &QualifiedName = &statement.table;
    cx.keyspace_of(name)?;
    let table = match cx.table(name) {
        Ok(table) => table,
        Err(refusal) => return Ok(BoundCommand::from_validation(Err(refusal))),
    };
    let reason = if table.is_view {
        CommandReason::TruncateView
    } else if table.is_virtual && !table.is_test_table() {
        CommandReason::TruncateVirtual { table: table.qualified_name() }
    } else {
        return Ok(BoundCommand::default());
    };
    Ok(BoundCommand::from_execution(refuse(reason, name.span())))
}

fn bind_describe(cx: &Context<'_>, statement: &Describe) -> BoundCommand {
    BoundCommand::from_execution(describe::check(cx, &statement.target))
}
