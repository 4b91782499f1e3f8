//! The state of the server that system tables show.

use std::sync::Arc;

use engine::{ClientStatus, PreparedStatus, ServerStatus};

use super::connection_registry::ConnectionRegistry;
use super::prepared_statements::PreparedStatements;

/// What the engine may see of the server.
pub(super) struct ServerTables {
    pub(super) registry: Arc<ConnectionRegistry>,
    pub(super) prepared: Arc<PreparedStatements>,
}

impl ServerStatus for ServerTables {
    fn list_clients(&self) -> Vec<ClientStatus> {
        self.registry.list_clients()
    }

    fn list_prepared_statements(&self) -> Vec<PreparedStatus> {
        self.prepared.list()
    }
}
