//! What a table must satisfy once it is put together.

use cql::Span;

use super::super::access::is_word;
use super::super::refusal::config;
use crate::Result;
use crate::catalog::Table;

/// The longest name of a table: with what the server appends it still fits a file name.
const TABLE_NAME_LENGTH: usize = 222;

/// Checks the name of a table or view.
pub(in crate::ddl) fn check_name(table: &Table, span: Span) -> Result<()> {
    let (keyspace, name) = (&table.keyspace, &table.name);
    if !is_word(name) {
        let message = format!(
            "{keyspace}.{name}: Table name must not be empty or not contain non-alphanumeric-underscore characters \
             (got \"{name}\")"
        );
        return config("SV015", message, span);
    }
    if name.len() > TABLE_NAME_LENGTH {
        let message = format!(
            "{keyspace}.{name}: Table name must not be more than {TABLE_NAME_LENGTH} characters long (got {} \
             characters for \"{name}\")",
            name.len()
        );
        return config("SV015", message, span);
    }
    Ok(())
}

/// Checks that counters stand alone.
pub(super) fn check_counters(table: &Table, span: Span) -> Result<()> {
    let prefix = format!("{}.{}", table.keyspace, table.name);
    let wrong = table
        .statics()
        .iter()
        .chain(table.regulars())
        .find(|column| column.ty.is_counter() != table.flags.counter);
    match wrong {
        None => Ok(()),
        Some(column) if table.flags.counter => {
            let message = format!(
                "{prefix}: Cannot have a non counter column (\"{}\") in a counter table",
                column.name
            );
            config("SV007", message, span)
        }
        Some(column) => {
            let message = format!(
                "{prefix}: Cannot have a counter column (\"{}\") in a non counter table",
                column.name
            );
            config("SV007", message, span)
        }
    }
}
