//! Keys, rows and updates as the server prints them in traces and in its log.

use std::fmt::Write;

use cql::types::{NativeType, Type};
use cql::value;
use schema::catalog::{Column, ColumnKind};
use storage::deletion::{NO_TIMESTAMP, NO_TTL};
use storage::{Cell, DecoratedKey, LivenessInfo, PartitionUpdate, Row, RowEntry};

use crate::node::handle::TableHandle;

/// The least timestamp of an update without data, as the server states it.
const NO_MINIMUM: i64 = 1_442_880_000_000_000;
/// The local time of a partition that was not deleted.
const NO_LOCAL_TIME: i64 = i64::MAX;

/// A value: texts without quotes, bytes and collections as hexadecimal digits, the parts of tuples
/// with colons between them.
pub(crate) fn print_value(ty: &Type, bytes: &[u8]) -> String {
    match ty {
        Type::Native(NativeType::Blob)
        | Type::List(..)
        | Type::Set(..)
        | Type::Map(..)
        | Type::Custom(_) => value::bytes_to_hex(bytes),
        Type::Tuple(_) | Type::User(..) => {
            let parts = value::split(ty, bytes).unwrap_or_default();
            let types = ty.parts();
            let part = |(part, ty): (Option<&[u8]>, &Type)| {
                part.map_or_else(|| "@".to_owned(), |part| escape(&print_value(ty, part)))
            };
            parts.into_iter().zip(types).map(part).collect::<Vec<_>>().join(":")
        }
        _ => {
            let text = value::literal(ty, Some(bytes)).unwrap_or_default();
            let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
            quoted.map_or_else(|| text.clone(), |inner| inner.replace("''", "'"))
        }
    }
}

/// Escapes the signs that separate parts.
fn escape(text: &str) -> String {
    text.replace(':', "\\:").replace('@', "\\@")
}

/// A partition key.
pub(crate) fn print_key(handle: &TableHandle, key: &DecoratedKey) -> String {
    let columns = handle.definition.partition_key();
    let values = columns.iter().zip(handle.partition_values(key));
    let values = values.map(|(column, value)| print_value(&column.ty, value));
    match columns.len() {
        1 => values.collect(),
        _ => values.map(|text| text.replace(':', "\\:")).collect::<Vec<_>>().join(":"),
    }
}

/// An update with its least timestamp: `1794974030089000:key=1` and a line for each row.
pub(crate) fn print_update(handle: &TableHandle, update: &PartitionUpdate) -> String {
    let rows = || update.statics.iter().chain(&update.rows);
    let deletions = std::iter::once(update.deletion);
    let deletions = deletions.chain(update.ranges.iter().map(|range| range.deletion));
    let deletions = deletions.chain(rows().map(Row::deletion)).map(|deletion| deletion.timestamp);
    let entries = rows().flat_map(Row::entries).map(|entry| match entry {
        RowEntry::Cell(cell) => cell.timestamp,
        RowEntry::ColumnDeletion(_, deletion) => deletion.timestamp,
    });
    let times = rows().map(|row| row.liveness().timestamp).chain(deletions).chain(entries);
    let least = times.filter(|time| *time != NO_TIMESTAMP).min().unwrap_or(NO_MINIMUM);
    let mut out = format!("{least}:key={}", print_key(handle, &update.key));
    for (is_static, row) in statics_and_rows(update.statics.as_ref(), update.rows.iter()) {
        out.push_str("\n    Row: ");
        out.push_str(&clustering(handle, row, is_static));
        out.push_str(" | ");
        out.push_str(&columns(handle, row, print_column).join(", "));
    }
    out
}

/// An update of a partition without rows.
pub(crate) fn print_empty_update(handle: &TableHandle, key: &DecoratedKey) -> String {
    print_update(handle, &PartitionUpdate::new(key.clone()))
}

/// A partition with the live rows that were read, and the names of the columns that were read.
pub(crate) fn print_partition<'r>(
    handle: &TableHandle,
    key: &DecoratedKey,
    statics: Option<&'r Row>,
    rows: impl Iterator<Item = &'r Row>,
    is_read: impl Fn(&Column) -> bool,
) -> String {
    let rows: Vec<_> = statics_and_rows(statics, rows).collect();
    let names = |kind: ColumnKind| {
        let own =
            list_sorted_columns(handle).into_iter().map(|at| &handle.definition.columns()[at]);
        let own = own.filter(|column| column.kind == kind && is_read(column) && !rows.is_empty());
        own.map(|column| &*column.name).collect::<Vec<_>>().join(" ")
    };
    let mut out = format!(
        "[{}] key={} partition_deletion=deletedAt={NO_TIMESTAMP}, localDeletion={NO_LOCAL_TIME} columns=[[{}] | [{}]]",
        handle.definition.qualified_name(),
        print_key(handle, key),
        names(ColumnKind::Static),
        names(ColumnKind::Regular)
    );
    for (is_static, row) in rows {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n    Row[info={} ]: {} | {}",
            print_liveness(row.liveness()),
            clustering(handle, row, is_static),
            columns(handle, row, print_column_details).join(", ")
        );
    }
    out
}

fn statics_and_rows<'r>(
    statics: Option<&'r Row>,
    rows: impl Iterator<Item = &'r Row>,
) -> impl Iterator<Item = (bool, &'r Row)> {
    statics.into_iter().map(|row| (true, row)).chain(rows.map(|row| (false, row)))
}

fn print_liveness(liveness: LivenessInfo) -> String {
    match liveness.ttl {
        NO_TTL => format!("[ts={}]", liveness.timestamp),
        ttl => format!("[ts={} ttl={ttl}, let={}]", liveness.timestamp, liveness.expires_at),
    }
}

fn clustering(handle: &TableHandle, row: &Row, is_static: bool) -> String {
    if is_static {
        return "STATIC".to_owned();
    }
    let columns = handle.definition.clustering();
    if columns.is_empty() {
        return "EMPTY".to_owned();
    }
    let value = |(column, value): (&Column, Option<&[u8]>)| {
        let value = value.map_or_else(|| "null".to_owned(), |bytes| print_value(&column.ty, bytes));
        format!("{}={value}", column.name)
    };
    columns.iter().zip(row.clustering()).map(value).collect::<Vec<_>>().join(", ")
}

/// The columns outside the key in the server's order: multi-cell ones last, each kind by name.
fn list_sorted_columns(handle: &TableHandle) -> Vec<usize> {
    let columns = handle.definition.columns();
    let is_stored = |at: &usize| columns.get(*at).is_some_and(|column| !column.is_primary_key());
    let mut sorted: Vec<usize> = (0..columns.len()).filter(is_stored).collect();
    let order = |at: &usize| columns.get(*at).map(|one| (one.is_multi_cell(), one.name.clone()));
    sorted.sort_by_key(order);
    sorted
}

/// The texts of the columns of a row that have cells.
fn columns(
    handle: &TableHandle,
    row: &Row,
    print: impl Fn(&Column, &[Cell<'_>]) -> String,
) -> Vec<String> {
    let all: Vec<Cell<'_>> = row.cells().collect();
    let text = |at: usize| {
        let (column, id) = (handle.definition.columns().get(at)?, handle.column_id(at)?);
        let own: Vec<Cell<'_>> = all.iter().filter(|cell| cell.column == id).copied().collect();
        (!own.is_empty()).then(|| print(column, &own))
    };
    list_sorted_columns(handle).into_iter().filter_map(text).collect()
}

/// `v=1`, `v=<tombstone>`, or `m={1 -> 2, 3 -> 4}`.
fn print_column(column: &Column, cells: &[Cell<'_>]) -> String {
    let value = |ty: &Type, cell: &Cell<'_>| {
        if cell.is_tombstone() { "<tombstone>".to_owned() } else { print_value(ty, cell.value) }
    };
    if !column.is_multi_cell() {
        let only = cells.first().map(|cell| value(&column.ty, cell)).unwrap_or_default();
        return format!("{}={only}", column.name);
    }
    let entry = |cell: &Cell<'_>| {
        let (path, ty) = path_and_type(column, cell);
        format!("{path} -> {}", value(&ty, cell))
    };
    let entries = cells.iter().map(entry).collect::<Vec<_>>().join(", ");
    format!("{}={{{entries}}}", column.name)
}

/// `[v=1 ts=1]`; a multi-cell column is a list with an empty first element, as the server prints it.
fn print_column_details(column: &Column, cells: &[Cell<'_>]) -> String {
    let details = |cell: &Cell<'_>| {
        let text = match &column.ty {
            Type::User(..) if column.is_multi_cell() => {
                format!("{}=0x{}", column.name, value::bytes_to_hex(cell.value))
            }
            _ if column.is_multi_cell() => {
                let (path, ty) = path_and_type(column, cell);
                format!("{}[{path}]={}", column.name, print_value(&ty, cell.value))
            }
            ty => format!("{}={}", column.name, print_value(ty, cell.value)),
        };
        let expiry = match cell.ttl {
            NO_TTL => String::new(),
            ttl => format!(" ttl={ttl} ldt={}", cell.local_time),
        };
        format!("[{text} ts={}{expiry}]", cell.timestamp)
    };
    let details: Vec<_> = cells.iter().map(details).collect();
    if column.is_multi_cell() {
        return details.iter().fold(String::new(), |text, detail| text + ", " + detail);
    }
    details.concat()
}

/// The path of a cell, and the type of its value.
fn path_and_type(column: &Column, cell: &Cell<'_>) -> (String, Type) {
    let path = cell.path.unwrap_or_default();
    let empty = Type::from(NativeType::Blob);
    match &column.ty {
        Type::List(element, _) => {
            (print_value(&NativeType::Timeuuid.into(), path), (**element).clone())
        }
        Type::Set(element, _) => (print_value(element, path), empty),
        Type::Map(entry, _) => (print_value(&entry.0, path), entry.1.clone()),
        Type::User(user, _) => {
            let at = path.first_chunk().map_or(0, |bytes| usize::from(u16::from_be_bytes(*bytes)));
            user.fields
                .get(at)
                .map_or((String::new(), empty), |(name, ty)| (name.to_string(), ty.clone()))
        }
        _ => (value::bytes_to_hex(path), empty),
    }
}
