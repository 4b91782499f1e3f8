//! Errors of USE, TRUNCATE and DESCRIBE, and of sending statements.

super::family! {
    /// The errors of a command, or of how a statement is sent.
    CommandReason {
        NotInKeyspace { name: String, keyspace: String }
            = "SV028", Invalid, "'{name}' not found in keyspace '{keyspace}'";
        NoCurrentKeyspace = "SV028", Invalid, "No keyspace specified and no current keyspace";
        NotFound { name: String } = "SV028", Invalid, "'{name}' not found in keyspaces";
        BoundValues { count: String, given: usize }
            = "QV032", Invalid, "there were {count} markers(?) in CQL but {given} bound variables";
        TooManyMarkers { count: String, most: String }
            = "QV032", Invalid,
            "Too many markers(?). {count} markers exceed the allowed maximum of {most}";
        MarkersWithoutValues = "QV032", Invalid, "Invalid amount of bind variables";
        TruncateView
            = "QV031", Invalid,
            "Cannot TRUNCATE materialized view directly; must truncate base table instead";
        TruncateVirtual { table: String }
            = "QV031", Invalid, "Truncation is not supported by table {table}";
        UnknownTable { name: String, keyspace: String }
            = "SV028", Invalid, "Table '{name}' not found in keyspace '{keyspace}'";
        UnknownIndex { name: String, keyspace: String }
            = "SV028", Invalid, "Table for existing index '{name}' not found in '{keyspace}'";
        Undescribed { kind: &'static str, name: String, keyspace: String }
            = "SV028", Invalid, "{kind} '{name}' not found in '{keyspace}'";
    }
}
