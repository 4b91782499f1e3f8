//! [`ServerStatus`]: what a server in front of the engine knows, for the system tables that show it,
//! and what it is told.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use cql::{SchemaChange, StatementId};

/// The server in front of the engine.
pub trait ServerStatus: Send + Sync {
    /// The connected clients, for `system_views.clients`.
    fn list_clients(&self) -> Vec<ClientStatus>;

    /// The prepared statements, for `system.prepared_statements`.
    fn list_prepared_statements(&self) -> Vec<PreparedStatus>;

    /// The requests that run now, for `system_views.queries`.
    fn list_running_requests(&self) -> Vec<RunningRequest>;

    /// Tells the clients about a change of the schema. One statement may cause several.
    fn notify_of_change(&self, change: &SchemaChange);
}

/// A connected client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientStatus {
    /// Its address and port.
    pub peer: SocketAddr,
    /// The options of its STARTUP.
    pub options: BTreeMap<String, String>,
    /// How far its handshake came: `established`, `authenticating` or `ready`.
    pub stage: &'static str,
    /// The keyspace in use.
    pub keyspace: Option<String>,
    /// The version of the protocol, once it is known.
    pub protocol_version: Option<u8>,
    /// The number of its requests.
    pub request_count: u64,
    /// The protocol and the cipher suite of its encryption, if the connection is encrypted.
    pub encryption: Option<(String, String)>,
    /// The role that it logged in with.
    pub role: Option<String>,
}

/// A request that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningRequest {
    /// The number of its thread.
    pub thread: u64,
    /// The time between its arrival and its start.
    pub queued: Duration,
    /// The time since its start.
    pub running: Duration,
    /// The request as the server prints it.
    pub task: String,
}

/// A prepared statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedStatus {
    /// Its id.
    pub id: StatementId,
    /// The keyspace of unqualified names, if the statement has some.
    pub keyspace: Option<String>,
    /// Its text.
    pub text: String,
}
