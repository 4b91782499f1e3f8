//! The tables that remedies propose, as CREATE statements.

use std::fmt::Write;

use cql::printer::identifier;
use cql::types::{NativeType, Type};
use schema::catalog::{Column, ColumnKind, Table};

/// The types by which rows can be divided into spans of time.
const TIMES: [NativeType; 3] = [NativeType::Timestamp, NativeType::Timeuuid, NativeType::Date];

/// The table with a bucket in its partition key: of time if it clusters by time, else a shard.
pub(super) fn split_partitions(table: &Table) -> String {
    let is_time = |column: &&Column| is_time(&column.ty);
    let (name, ty, comment) = match table.clustering().iter().find(is_time) {
        Some(_) => ("bucket", "date", "the first day of the month, week or day of the row"),
        None => ("shard", "smallint", "a hash of the clustering key modulo the number of shards"),
    };
    let name = free_name(table, name);
    let key: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
    let mut key: Vec<String> = key.into_iter().map(identifier_text).collect();
    key.push(name.clone());
    let clustering: Vec<&Column> = table.clustering().iter().collect();
    let added = format!("  {name} {ty}, -- {comment}\n");
    create(table, &format!("{}_by_{name}", table.name), &key, &clustering, &added)
}

/// The table with a partition for each hour and worker, whose rows expire instead of being deleted.
pub(super) fn batches_of_work(table: &Table) -> String {
    let hour = free_name(table, "batch_hour");
    let worker = free_name(table, "worker_id");
    let key = table.partition_key().iter().map(|column| identifier_text(&column.name));
    let key: Vec<String> = key.chain([hour.clone(), worker.clone()]).collect();
    let clustering: Vec<&Column> = table.clustering().iter().collect();
    let added =
        format!("  {hour} timestamp,\n  {worker} smallint, -- which worker handles the row\n");
    let text = create(table, &format!("{}_by_{hour}", table.name), &key, &clustering, &added);
    let text = text.trim_end_matches(';');
    let with = if clustering.iter().any(|column| column.descending) { "\n  AND" } else { " WITH" };
    format!(
        "{text}{with} default_time_to_live = 86400\n  AND compaction = {{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'}};"
    )
}

/// The table with other columns as its partition key, for a query that restricts them.
pub(super) fn key_by(table: &Table, columns: &[&Column]) -> String {
    let key: Vec<String> = columns.iter().map(|column| identifier_text(&column.name)).collect();
    let is_new = |column: &&Column| columns.iter().all(|known| known.name != column.name);
    let clustering: Vec<&Column> = table.primary_key().iter().filter(is_new).collect();
    let suffix: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    create(table, &format!("{}_by_{}", table.name, suffix.join("_")), &key, &clustering, "")
}

/// Whether values of the type are moments or days.
pub(super) fn is_time(ty: &Type) -> bool {
    matches!(ty, Type::Native(native) if TIMES.contains(native))
}

fn identifier_text(name: &str) -> String {
    identifier(name)
}

/// A name that no column of the table has.
fn free_name(table: &Table, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while table.column(&name).is_some() {
        name.push('_');
    }
    name
}

fn create(
    table: &Table,
    name: &str,
    partition_key: &[String],
    clustering: &[&Column],
    added: &str,
) -> String {
    let mut text =
        format!("CREATE TABLE {}.{} (\n{added}", identifier(&table.keyspace), identifier(name));
    for column in table.columns() {
        let is_key = clustering.iter().any(|known| known.name == column.name)
            || partition_key.contains(&identifier_text(&column.name));
        let suffix = if column.kind == ColumnKind::Static && !is_key { " static" } else { "" };
        let _ = writeln!(text, "  {} {}{suffix},", identifier(&column.name), column.ty);
    }
    let names: Vec<String> = clustering.iter().map(|it| identifier_text(&it.name)).collect();
    let rest = if names.is_empty() { String::new() } else { format!(", {}", names.join(", ")) };
    let _ = write!(text, "  PRIMARY KEY (({}){rest})\n)", partition_key.join(", "));
    if clustering.iter().any(|column| column.descending) {
        let order = clustering.iter().map(|column| {
            let direction = if column.descending { "DESC" } else { "ASC" };
            format!("{} {direction}", identifier(&column.name))
        });
        let order: Vec<String> = order.collect();
        let _ = write!(text, " WITH CLUSTERING ORDER BY ({})", order.join(", "));
    }
    text.push(';');
    text
}

/// A table with a row for each element of a collection.
pub(super) fn elements_as_rows(table: &Table, collection: &Column) -> String {
    let parts = collection.ty.parts();
    let name = &collection.name;
    let mut text = format!(
        "CREATE TABLE {}.{} (\n",
        identifier(&table.keyspace),
        identifier(&format!("{}_{name}", table.name))
    );
    for column in table.partition_key() {
        let _ = writeln!(text, "  {} {},", identifier(&column.name), column.ty);
    }
    let key = match (&collection.ty, parts.as_slice()) {
        (Type::Map(..), [key, value]) => {
            let _ = writeln!(text, "  key {key},\n  value {value},");
            "key"
        }
        (Type::List(..), [element]) => {
            let _ = writeln!(text, "  added_at timeuuid,\n  value {element},");
            "added_at"
        }
        (_, parts) => {
            let element = parts.first().map_or_else(|| "text".to_owned(), ToString::to_string);
            let _ = writeln!(text, "  value {element},");
            "value"
        }
    };
    let names = table.partition_key().iter().map(|column| identifier_text(&column.name));
    let names: Vec<String> = names.collect();
    let _ = write!(text, "  PRIMARY KEY (({}), {key})\n);", names.join(", "));
    text
}
