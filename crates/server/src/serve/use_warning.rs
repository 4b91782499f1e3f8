//! The warning about USE with prepared statements whose tables are not qualified.

use std::sync::atomic::Ordering;

use engine::PreparedStatement;

use super::client_connection::ClientConnection;

/// The warning for a statement that is prepared, once for each connection; always if the request
/// names the keyspace.
pub(super) fn for_preparation(
    connection: &ClientConnection,
    is_keyspace_of_request: bool,
    prepared: &PreparedStatement,
) -> Option<String> {
    let keyspace = prepared.keyspace_of_names()?;
    let is_new =
        is_keyspace_of_request || !connection.has_use_warning.swap(true, Ordering::Relaxed);
    is_new.then(|| format_warning(Some(keyspace), prepared, keyspace))
}

/// The warning for a statement that is executed in another keyspace than it was prepared in, once
/// for each connection.
pub(super) fn for_execution(
    connection: &ClientConnection,
    keyspace: Option<&str>,
    prepared: &PreparedStatement,
) -> Option<String> {
    let of_statement = prepared.keyspace_of_names().filter(|name| Some(*name) != keyspace)?;
    let is_new = !connection.has_use_warning.swap(true, Ordering::Relaxed);
    is_new.then(|| format_warning(keyspace, prepared, of_statement))
}

fn format_warning(
    keyspace: Option<&str>,
    prepared: &PreparedStatement,
    of_statement: &str,
) -> String {
    format!(
        "`USE <keyspace>` with prepared statements is considered to be an anti-pattern due to ambiguity in \
         non-qualified table names. Please consider removing instances of `Session#setKeyspace(<keyspace>)`, \
         `Session#execute(\"USE <keyspace>\")` and `cluster.newSession(<keyspace>)` from your code, and always \
         use fully qualified table names (e.g. <keyspace>.<table>). Keyspace used: {}, statement keyspace: \
         {of_statement}, statement id: {}",
        keyspace.unwrap_or("null"),
        cql::value::bytes_to_hex(&prepared.id().0)
    )
}
