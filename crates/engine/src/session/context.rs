//! A statement that a session runs: its execution, and who runs it.

use std::ops::Deref;
use std::sync::Arc;

use super::auth::roles::{self, RoleCache, Roles};
use crate::error::Result;
use crate::execute::{Activity, Execution};

/// Who runs a statement.
#[derive(Clone, Copy)]
pub(crate) enum Caller<'a> {
    /// The server, for itself: nobody has to be logged in.
    Server,
    /// A client.
    Client {
        /// The role; none when authentication is off, and before the login.
        role: Option<&'a str>,
        /// What is known of all roles.
        roles: &'a RoleCache,
    },
}

/// A statement being executed for somebody.
pub(crate) struct StatementContext<'a> {
    execution: Execution<'a>,
    caller: Caller<'a>,
}

impl<'a> StatementContext<'a> {
    pub(crate) fn new(execution: Execution<'a>, caller: Caller<'a>) -> Self {
        Self { execution, caller }
    }

    /// The role that runs it.
    pub(crate) fn role(&self) -> Option<&'a str> {
        match self.caller {
            Caller::Server => None,
            Caller::Client { role, .. } => role,
        }
    }

    /// All roles as they are.
    pub(crate) fn roles(&self) -> Result<Arc<Roles>> {
        match self.caller {
            Caller::Server => roles::read(self.node).map(Arc::new),
            Caller::Client { roles, .. } => roles.current(self.node),
        }
    }

    /// Whether it is held to what its role may do.
    pub(crate) fn is_checked(&self) -> bool {
        self.node.settings.authentication && !matches!(self.caller, Caller::Server)
    }

    /// What it leaves behind: warnings, and the events of a trace.
    pub(crate) fn finish(self) -> (Vec<String>, Option<Vec<(i64, Activity)>>) {
        self.execution.finish()
    }
}

impl<'a> Deref for StatementContext<'a> {
    type Target = Execution<'a>;

    fn deref(&self) -> &Execution<'a> {
        &self.execution
    }
}
