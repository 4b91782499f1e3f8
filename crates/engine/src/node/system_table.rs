//! Which tables have rows that are computed when they are read: some of `system`, all of
//! `system_schema`, `system_views` and `system_virtual_schema`.

/// The tables of `system` that are computed; the others are stored like those of users.
const COMPUTED_SYSTEM_TABLES: [&str; 7] = [
    "IndexInfo",
    "built_views",
    "local",
    "prepared_statements",
    "size_estimates",
    "table_estimates",
    "view_builds_in_progress",
];

/// Whether the rows of a table are computed.
pub(crate) fn is_computed(keyspace: &str, table: &str) -> bool {
    match keyspace {
        "system_schema" | "system_views" | "system_virtual_schema" => true,
        "system" => COMPUTED_SYSTEM_TABLES.contains(&table),
        "system_distributed" => table == "view_build_status",
        _ => false,
    }
}
