//! [`StatementContext`]: a statement in execution, and its caller.

use std::ops::Deref;
use std::sync::Arc;

use super::auth::roles::{self, RoleCache, Roles};
use crate::error::Result;
use crate::execute::{Activity, Execution};

/// The caller of a statement.
#[derive(Clone, Copy)]
pub(crate) enum Caller<'a> {
    /// The server itself: no login is needed.
    Server,
    /// A client.
    Client {
        /// The role; `None` if authentication is off, and before the login.
        role: Option<&'a str>,
        /// The cached roles.
        roles: &'a RoleCache,
    },
}

/// A statement in execution for a caller.
pub(crate) struct StatementContext<'a> {
    execution: Execution<'a>,
    caller: Caller<'a>,
}

impl<'a> StatementContext<'a> {
    pub(crate) fn new(execution: Execution<'a>, caller: Caller<'a>) -> Self {
        Self { execution, caller }
    }

    /// The role of the caller.
    pub(crate) fn role(&self) -> Option<&'a str> {
        match self.caller {
            Caller::Server => None,
            Caller::Client { role, .. } => role,
        }
    }

    /// The current roles.
    pub(crate) fn roles(&self) -> Result<Arc<Roles>> {
        match self.caller {
            Caller::Server => roles::read(self.node).map(Arc::new),
            Caller::Client { roles, .. } => roles.current(self.node),
        }
    }

    /// Whether permissions are checked.
    pub(crate) fn is_checked(&self) -> bool {
        self.node.settings.authentication && !matches!(self.caller, Caller::Server)
    }

    /// Returns the warnings and trace events.
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
