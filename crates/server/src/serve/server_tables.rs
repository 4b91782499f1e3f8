//! What the engine sees of the server: the state that system tables show, and its clients.

use std::sync::Arc;

use cql::SchemaChange;
use engine::{ClientStatus, PreparedStatus, RunningRequest, ServerStatus};
use wire::Event;

use super::connection_registry::ConnectionRegistry;
use super::event_subscribers::EventSubscribers;
use super::prepared_statements::PreparedStatements;
use super::running_requests::RunningRequests;

/// What the engine may see of the server.
pub(super) struct ServerTables {
    pub(super) registry: Arc<ConnectionRegistry>,
    pub(super) prepared: Arc<PreparedStatements>,
    pub(super) subscribers: Arc<EventSubscribers>,
    pub(super) running: Arc<RunningRequests>,
}

impl ServerStatus for ServerTables {
    fn list_clients(&self) -> Vec<ClientStatus> {
        self.registry.list_clients()
    }

    fn list_prepared_statements(&self) -> Vec<PreparedStatus> {
        self.prepared.list()
    }

    fn list_running_requests(&self) -> Vec<RunningRequest> {
        self.running.list()
    }

    fn notify_of_change(&self, change: &SchemaChange) {
        self.prepared.remove_affected(change);
        self.subscribers.broadcast(&Event::Schema(change.clone()));
    }
}
