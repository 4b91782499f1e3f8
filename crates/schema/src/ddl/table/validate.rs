//! Checks of a complete table.

use cql::Span;

use super::super::access::is_word;
use crate::Result;
use crate::catalog::Table;
use crate::refusal::{TableReason, refuse};

/// The maximum length of a table name: with the server's suffixes it still fits a file name.
const TABLE_NAME_LENGTH: usize = 222;

/// Checks the name of a table or view.
pub(in crate::ddl) fn check_name(table: &Table, span: Span) -> Result<()> {
    let (keyspace, name) = (&table.keyspace, &table.name);
    if !is_word(name) {
        return refuse(
            TableReason::Name { keyspace: keyspace.to_string(), table: name.to_string() },
            span,
        );
    }
    if name.len() > TABLE_NAME_LENGTH {
        return refuse(
            TableReason::NameLength {
                keyspace: keyspace.to_string(),
                table: name.to_string(),
                limit: TABLE_NAME_LENGTH,
                length: name.len(),
            },
            span,
        );
    }
    Ok(())
}

/// Checks that counters are not mixed with other columns.
pub(super) fn check_counters(table: &Table, span: Span) -> Result<()> {
    let prefix = format!("{}.{}", table.keyspace, table.name);
    let wrong = table
        .statics()
        .iter()
        .chain(table.regulars())
        .find(|column| column.ty.is_counter() != table.flags.counter);
    match wrong {
        None => Ok(()),
        Some(column) if table.flags.counter => refuse(
            TableReason::OtherInCounters { table: prefix, column: column.name.to_string() },
            span,
        ),
        Some(column) => refuse(
            TableReason::CounterInOthers { table: prefix, column: column.name.to_string() },
            span,
        ),
    }
}
