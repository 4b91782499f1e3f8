//! Columns of tables, queried from the schema tables as cqlsh does, and coloured column names.

use cql::types::{NativeType, Type};
use cql::value::{self, Value};
use engine::{Parameters, ResultMessage, ResultSet};

use super::cell::{CYAN, Cell, CellFormat, MAGENTA, RED, WHITE};
use super::{Shell, ShellConnection};

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// `partition_key`, `clustering`, `static` or `regular`.
    pub(super) kind: String,
    position: i64,
    pub(super) ty: String,
}

/// The columns of a table: the primary key first, then the others by name.
pub(crate) fn table_columns(
    session: &mut dyn ShellConnection,
    keyspace: &str,
    table: &str,
) -> Vec<Column> {
    let schema = if is_virtual(keyspace) { "system_virtual_schema" } else { "system_schema" };
    let text = format!(
        "SELECT column_name, kind, position, type FROM {schema}.columns \
         WHERE keyspace_name = {} AND table_name = {}",
        quote_literal(keyspace),
        quote_literal(table)
    );
    let mut columns: Vec<Column> = query_texts(session, &text)
        .into_iter()
        .filter_map(|row| {
            let mut row = row.into_iter();
            Some(Column {
                name: row.next()?,
                kind: row.next()?,
                position: row.next()?.parse().unwrap_or(-1),
                ty: row.next()?,
            })
        })
        .collect();
    let rank = |column: &Column| match &*column.kind {
        "partition_key" => (0, column.position),
        "clustering" => (1, column.position),
        _ => (2, 0),
    };
    columns.sort_by_key(rank);
    columns
}

fn is_virtual(keyspace: &str) -> bool {
    matches!(keyspace, "system_views" | "system_virtual_schema")
}

/// The rows of a query as texts; empty on errors.
pub(crate) fn query_texts(session: &mut dyn ShellConnection, text: &str) -> Vec<Vec<String>> {
    let parameters = Parameters { page_size: None, ..Parameters::default() };
    match session.query(text, &parameters).map(|result| result.outcome) {
        Ok(ResultMessage::Rows(rows)) => row_texts(&rows),
        _ => Vec::new(),
    }
}

fn row_texts(rows: &ResultSet) -> Vec<Vec<String>> {
    let text = |ty: &Type, bytes: Option<&[u8]>| match bytes.map(|bytes| value::decode(ty, bytes)) {
        Some(Ok(Value::Text(text) | Value::Ascii(text))) => text,
        Some(Ok(Value::Int(number))) => number.to_string(),
        _ => bytes
            .and_then(|bytes| value::literal(ty, Some(bytes)).ok())
            .map(|literal| literal.trim_matches('\'').to_owned())
            .unwrap_or_default(),
    };
    let row = |row: Vec<Option<&[u8]>>| -> Vec<String> {
        rows.columns.iter().zip(row).map(|(column, bytes)| text(&column.ty, bytes)).collect()
    };
    rows.iter().map(row).collect()
}

/// A text as a CQL literal.
pub(crate) fn quote_literal(text: &str) -> String {
    let ty = Type::Native(NativeType::Text);
    value::literal(&ty, Some(text.as_bytes())).unwrap_or_default()
}

impl Shell<'_> {
    /// The names of the columns of a result, coloured by column kind.
    pub(crate) fn column_names(&mut self, rows: &ResultSet, format: &CellFormat) -> Vec<Cell> {
        let known = match rows.columns.first().filter(|_| format.color) {
            None => Vec::new(),
            Some(first) => table_columns(&mut *self.session, &first.keyspace, &first.table),
        };
        let color = |name: &str| match known.iter().find(|column| column.name == name) {
            Some(column) if column.kind == "partition_key" => RED,
            Some(column) if column.kind == "clustering" => CYAN,
            Some(column) if column.kind == "static" => WHITE,
            _ => MAGENTA,
        };
        rows.columns.iter().map(|column| format.name(&column.name, color(&column.name))).collect()
    }
}
