//! The allow-list of what `helenus doctor` may send to a cluster: bounded reads of tables of the
//! server itself. Everything that is sent is checked here, as parsed, and nowhere else.

use cql::selectable::SelectableKind;
use cql::statement::select::Select;
use cql::term::TermKind;
use cql::{QualifiedName, StatementKind};

/// The most rows that one statement may return.
pub const ROWS_MAX: u32 = 10_000;

/// The tables that may be read, by keyspace; an empty list allows all tables of the keyspace. The
/// keyspace `system` also has tables with data of users (batches, hints, paxos), which are not
/// listed.
const TABLES: [(&str, &[&str]); 6] = [
    (
        "system",
        &[
            "cluster_status",
            "compaction_history",
            "large_cells",
            "large_partitions",
            "large_rows",
            "local",
            "peers",
            "peers_v2",
            "prepared_statements",
            "runtime_info",
            "size_estimates",
            "table_estimates",
            "versions",
        ],
    ),
    ("system_schema", &[]),
    ("system_views", &[]),
    ("system_virtual_schema", &[]),
    ("system_traces", &["events", "sessions"]),
    ("system_distributed", &["repair_history"]),
];

/// Why a statement is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOnlyViolation {
    /// It cannot be parsed, or is not exactly one statement.
    NotOneStatement,
    /// It is not SELECT.
    NotSelect,
    /// It reads a table that is not listed, or does not name its keyspace.
    OtherTable,
    /// It has no LIMIT with a number of at most [`ROWS_MAX`].
    Unbounded,
    /// It has ALLOW FILTERING.
    Filtering,
    /// It selects something else than columns.
    NotColumns,
}

impl std::fmt::Display for ReadOnlyViolation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::NotOneStatement => "it is not one statement",
            Self::NotSelect => "it is not SELECT",
            Self::OtherTable => "it reads a table that is not one of the server's own",
            Self::Unbounded => "it has no LIMIT of at most 10000 rows",
            Self::Filtering => "it has ALLOW FILTERING",
            Self::NotColumns => "it selects something else than columns",
        })
    }
}

/// Checks that a statement may be sent.
pub fn check_read_only(cql: &str) -> Result<(), ReadOnlyViolation> {
    let parsed = cql::parse(cql);
    let [statement] = parsed.statements.as_slice() else {
        return Err(ReadOnlyViolation::NotOneStatement);
    };
    if !parsed.errors.is_empty() {
        return Err(ReadOnlyViolation::NotOneStatement);
    }
    let StatementKind::Select(select) = &statement.kind else {
        return Err(ReadOnlyViolation::NotSelect);
    };
    check_select(select)
}

fn check_select(select: &Select) -> Result<(), ReadOnlyViolation> {
    if !is_listed(&select.table) {
        return Err(ReadOnlyViolation::OtherTable);
    }
    if select.allow_filtering.is_some() {
        return Err(ReadOnlyViolation::Filtering);
    }
    let is_column = |kind: &SelectableKind| matches!(kind, SelectableKind::Column(_));
    if !select.selectors.iter().all(|selector| is_column(&selector.expression.kind)) {
        return Err(ReadOnlyViolation::NotColumns);
    }
    let limit = select.limit.as_ref().and_then(|limit| match &limit.kind {
        TermKind::Constant(constant) => constant.text.parse::<u32>().ok(),
        _ => None,
    });
    match limit {
        Some(rows) if rows <= ROWS_MAX => Ok(()),
        _ => Err(ReadOnlyViolation::Unbounded),
    }
}

fn is_listed(table: &QualifiedName) -> bool {
    let Some(keyspace) = &table.keyspace else { return false };
    TABLES.iter().any(|(known, tables)| {
        *known == &*keyspace.text && (tables.is_empty() || tables.contains(&&*table.name.text))
    })
}

#[cfg(test)]
mod tests {
    use super::{ReadOnlyViolation, check_read_only};

    #[test]
    fn bounded_reads_of_the_servers_tables_are_allowed() {
        for cql in [
            "SELECT * FROM system.local LIMIT 1",
            "SELECT name, value FROM system_views.settings LIMIT 10000;",
            "SELECT * FROM system_distributed.repair_history WHERE keyspace_name = 'k' AND columnfamily_name = 't' LIMIT 10",
        ] {
            assert_eq!(check_read_only(cql), Ok(()), "{cql}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        use ReadOnlyViolation::{
            Filtering, NotColumns, NotOneStatement, NotSelect, OtherTable, Unbounded,
        };
        for (cql, violation) in [
            ("", NotOneStatement),
            ("SELECT", NotOneStatement),
            (
                "SELECT * FROM system.local LIMIT 1; SELECT * FROM system.local LIMIT 1",
                NotOneStatement,
            ),
            ("INSERT INTO system.local (key) VALUES ('a')", NotSelect),
            ("UPDATE system_views.settings SET value = '1' WHERE name = 'a'", NotSelect),
            ("DELETE FROM system.size_estimates WHERE keyspace_name = 'a'", NotSelect),
            ("TRUNCATE system_traces.events", NotSelect),
            ("DROP TABLE system_traces.events", NotSelect),
            ("ALTER KEYSPACE system_auth WITH durable_writes = true", NotSelect),
            ("BEGIN BATCH APPLY BATCH", NotSelect),
            ("USE system", NotSelect),
            ("LIST ROLES", NotSelect),
            ("SELECT * FROM local LIMIT 1", OtherTable),
            ("SELECT * FROM shop.orders LIMIT 1", OtherTable),
            ("SELECT * FROM system_auth.roles LIMIT 1", OtherTable),
            ("SELECT * FROM system.batches LIMIT 1", OtherTable),
            ("SELECT * FROM system.paxos LIMIT 1", OtherTable),
            ("SELECT * FROM system_distributed.parent_repair_history LIMIT 1", OtherTable),
            ("SELECT * FROM \"SYSTEM\".local LIMIT 1", OtherTable),
            ("SELECT * FROM system_views.settings", Unbounded),
            ("SELECT * FROM system_views.settings LIMIT 10001", Unbounded),
            ("SELECT * FROM system_views.settings LIMIT ?", Unbounded),
            ("SELECT * FROM system_views.settings PER PARTITION LIMIT 1", Unbounded),
            ("SELECT * FROM system.local WHERE rack = 'a' LIMIT 1 ALLOW FILTERING", Filtering),
            ("SELECT count(*) FROM system_traces.events LIMIT 1", NotColumns),
            ("SELECT shop.f(key) FROM system.local LIMIT 1", NotColumns),
        ] {
            assert_eq!(check_read_only(cql), Err(violation), "{cql}");
        }
    }
}
