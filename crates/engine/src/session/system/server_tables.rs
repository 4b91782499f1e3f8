//! The tables that show the state of the server in front of the engine; without one, they are empty.

use std::time::Duration;

use super::builder::TableRows;
use super::bytes::{bigint, boolean, inet, int, map, text};
use crate::execute::Execution;
use crate::server_status::ClientStatus;

/// Adds the rows of `system_views.clients`.
pub(super) fn add_clients(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for client in execution.node.server_status().iter().flat_map(|server| server.list_clients()) {
        add_client(&client, rows);
    }
}

fn add_client(client: &ClientStatus, rows: &mut TableRows<'_>) {
    let address = client.peer.ip();
    // Names of other addresses are not looked up: that could take long.
    let hostname = if address.is_loopback() { "localhost".to_owned() } else { address.to_string() };
    let role = client.role.as_deref().unwrap_or("anonymous");
    let count = i64::try_from(client.request_count).unwrap_or(i64::MAX);
    let required = [
        ("address", inet(address)),
        ("port", int(i32::from(client.peer.port()))),
        ("client_options", map(&client.options)),
        ("connection_stage", text(client.stage)),
        ("hostname", text(&hostname)),
        ("request_count", bigint(count)),
        ("ssl_enabled", boolean(client.encryption.is_some())),
        ("username", text(role)),
    ];
    let option = |name: &str| client.options.get(name).map(|value| text(value));
    let (protocol, suite) = client.encryption.as_ref().map(|(a, b)| (text(a), text(b))).unzip();
    let optional = [
        ("driver_name", option("DRIVER_NAME")),
        ("driver_version", option("DRIVER_VERSION")),
        ("keyspace_name", client.keyspace.as_deref().map(text)),
        ("protocol_version", client.protocol_version.map(|version| int(i32::from(version)))),
        ("ssl_protocol", protocol),
        ("ssl_cipher_suite", suite),
    ];
    let optional = optional.into_iter().filter_map(|(name, value)| Some((name, value?)));
    rows.add(required.into_iter().chain(optional));
}

/// Adds the rows of `system_views.queries`.
pub(super) fn add_queries(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let server = execution.node.server_status();
    let micros = |time: Duration| bigint(i64::try_from(time.as_micros()).unwrap_or(i64::MAX));
    for request in server.iter().flat_map(|server| server.list_running_requests()) {
        rows.add([
            ("thread_id", text(&format!("Native-Transport-Requests-{}", request.thread))),
            ("queued_micros", micros(request.queued)),
            ("running_micros", micros(request.running)),
            ("task", text(&request.task)),
        ]);
    }
}

/// Adds the rows of `system.prepared_statements`.
pub(super) fn add_prepared_statements(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let server = execution.node.server_status();
    for statement in server.iter().flat_map(|server| server.list_prepared_statements()) {
        let keyspace = statement.keyspace.as_deref().map(|name| ("logged_keyspace", text(name)));
        let fields =
            [("prepared_id", statement.id.0.to_vec()), ("query_string", text(&statement.text))];
        rows.add(fields.into_iter().chain(keyspace));
    }
}
