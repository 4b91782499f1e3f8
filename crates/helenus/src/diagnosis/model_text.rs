//! A model file from evidence: the tables of the schema as SQL, the statements that were seen with
//! their rates, and the figures as volumes. What is not known is marked by a comment.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use doctor::Snapshot;
use doctor::snapshot::{ObservedStatement, TableName};
use schema::catalog::{Column, Keyspace, Table};

use super::sql_type::{SqlType, sql_type};
use super::statement_sql::translate_statement;

/// The model of the keyspace with most statements; `None` without a schema.
pub(crate) fn write_model(snapshot: &Snapshot) -> Option<String> {
    let keyspace = choose_keyspace(snapshot)?;
    let mut text = format!(
        "-- The model of keyspace {} as it was found on the cluster. Lines with `not known` want an answer.\n-- @keyspace {}",
        keyspace.name, keyspace.name
    );
    let nodes = snapshot.nodes.len();
    if nodes > 0 {
        let _ = write!(text, "  @nodes {nodes}");
    }
    text.push('\n');
    let mut tables: Vec<_> = keyspace.tables.values().collect();
    tables.sort_by_key(|table| table.name.clone());
    for table in tables {
        write_table(&mut text, snapshot, table);
    }
    write_statements(&mut text, snapshot, keyspace);
    Some(text)
}

fn choose_keyspace(snapshot: &Snapshot) -> Option<&Keyspace> {
    let keyspaces = snapshot.schema.as_ref()?.keyspaces.values();
    let users = keyspaces
        .filter(|it| !it.system && !it.is_virtual && !TableName::new(&it.name, "").is_system());
    let count = |keyspace: &Keyspace| {
        let of_keyspace = snapshot.statements.keys().filter(|shape| {
            let (table, _) = table_of(&shape.keyspace, &shape.text);
            table.is_some_and(|table| table.keyspace == keyspace.name)
        });
        of_keyspace.count()
    };
    users
        .max_by_key(|keyspace| (count(keyspace), std::cmp::Reverse(keyspace.name.clone())))
        .map(|it| &**it)
}

/// The figures of a table over all nodes.
struct TableVolumes {
    partitions: Option<u64>,
    rows_per_partition: Option<f64>,
    row_bytes: Option<f64>,
}

impl TableVolumes {
    fn new(snapshot: &Snapshot, table: &Table) -> Self {
        let name = TableName::new(&table.keyspace, &table.name);
        let figures: Vec<_> = snapshot.measurements(&name).map(|(_, figures)| figures).collect();
        let partitions = figures.iter().filter_map(|it| it.partitions).reduce(u64::saturating_add);
        let columns = (table.regulars().len().max(1)) as f64;
        let cells = figures.iter().filter_map(|it| {
            let cells = it.partition_cells.as_ref()?;
            cells.mean.or(cells.p50)
        });
        let rows_per_partition = if table.clustering().is_empty() {
            Some(1.0)
        } else {
            cells.reduce(f64::max).map(|cells| (cells / columns).max(1.0))
        };
        let bytes = figures.iter().filter_map(|it| {
            let measured = it.partition_bytes.as_ref().and_then(|bytes| bytes.mean.or(bytes.p50));
            measured.or(it.mean_partition_bytes.map(|bytes| bytes as f64))
        });
        let row_bytes =
            bytes.reduce(f64::max).zip(rows_per_partition).map(|(bytes, rows)| bytes / rows);
        Self { partitions, rows_per_partition, row_bytes }
    }

    fn rows(&self) -> Option<f64> {
        Some(self.partitions? as f64 * self.rows_per_partition?)
    }
}

fn write_table(text: &mut String, snapshot: &Snapshot, table: &Table) {
    let volumes = TableVolumes::new(snapshot, table);
    text.push('\n');
    match volumes.rows() {
        Some(rows) => {
            let _ = writeln!(text, "-- @rows {rows:.0}");
        }
        None => text.push_str("-- not known: the number of rows (write @rows)\n"),
    }
    if table.params.default_time_to_live > 0 {
        let _ = writeln!(text, "-- @retain {}s", table.params.default_time_to_live);
    }
    let _ = writeln!(text, "CREATE TABLE {} (", name_text(&table.name));
    for column in table.columns() {
        write_column(text, table, column, &volumes);
    }
    let key: Vec<String> = table.primary_key().iter().map(|it| name_text(&it.name)).collect();
    let _ = writeln!(text, "  PRIMARY KEY ({})\n);", key.join(", "));
}

fn write_column(text: &mut String, table: &Table, column: &Column, volumes: &TableVolumes) {
    let SqlType { name, directives, problem } = sql_type(&column.ty);
    let not_null = if column.is_primary_key() { " NOT NULL" } else { "" };
    let mut notes: Vec<String> = directives.iter().map(|it| (*it).to_owned()).collect();
    let is_whole_key =
        table.partition_key().len() == 1 && table.partition_key()[0].name == column.name;
    if let Some(partitions) =
        volumes.partitions.filter(|_| is_whole_key && !table.clustering().is_empty())
    {
        notes.push(format!("@distinct {partitions}"));
    }
    notes.extend(bytes_of(table, column, volumes).map(|bytes| format!("@bytes {bytes:.0}")));
    notes.extend(problem.map(str::to_owned));
    let comment =
        if notes.is_empty() { String::new() } else { format!(" -- {}", notes.join("  ")) };
    let _ = writeln!(text, "  {} {name}{not_null},{comment}", name_text(&column.name));
}

/// The mean size of a text or blob, where it is the only value of a row without a fixed size.
fn bytes_of(table: &Table, column: &Column, volumes: &TableVolumes) -> Option<f64> {
    let is_open =
        |column: &&Column| !column.is_primary_key() && column.ty.value_length_if_fixed().is_none();
    let mut open = table.columns().iter().filter(is_open);
    let only = open.next().filter(|_| open.next().is_none())?;
    let fixed: usize = table.regulars().iter().filter_map(|it| it.ty.value_length_if_fixed()).sum();
    // A row has some 10 bytes beside its values.
    let bytes = volumes.row_bytes? - fixed as f64 - 10.0;
    (only.name == column.name && !column.ty.is_collection() && bytes >= 1.0).then_some(bytes)
}

fn write_statements(text: &mut String, snapshot: &Snapshot, keyspace: &Keyspace) {
    let mut names = BTreeSet::new();
    let mut others: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for (shape, observed) in &snapshot.statements {
        let (table, parsed) = table_of(&shape.keyspace, &shape.text);
        let Some(table) = table.filter(|table| table.keyspace == keyspace.name) else { continue };
        let Some(definition) = keyspace.tables.get(&table.table) else { continue };
        match parsed.map(|statement| translate_statement(&statement, definition)) {
            Some(Ok(translated)) => {
                let name = free_name(&mut names, &translated.name);
                let _ = writeln!(text, "\n-- name: {name} :{}", translated.kind);
                match rate(snapshot, observed) {
                    Some(rate) => {
                        let _ = writeln!(text, "-- @rate {rate}");
                    }
                    None => text.push_str("-- not known: how often it runs (write @rate)\n"),
                }
                let _ = writeln!(text, "{};", translated.sql);
            }
            Some(Err(reason)) => others.entry(reason).or_default().push(&shape.text),
            None => others.entry("it cannot be parsed").or_default().push(&shape.text),
        }
    }
    for (reason, statements) in others {
        let _ = writeln!(text, "\n-- Not taken over, since {reason}:");
        for statement in statements {
            let _ = writeln!(text, "--   {statement}");
        }
    }
}

/// The table of a statement, and the statement.
fn table_of(keyspace: &str, text: &str) -> (Option<TableName>, Option<cql::StatementKind>) {
    let mut parsed = cql::parse(text);
    if !parsed.errors.is_empty() || parsed.statements.len() != 1 {
        return (None, None);
    }
    let Some(statement) = parsed.statements.pop() else { return (None, None) };
    let name = match &statement.kind {
        cql::StatementKind::Select(select) => &select.table,
        cql::StatementKind::Insert(insert) => &insert.table,
        cql::StatementKind::Update(update) => &update.table,
        cql::StatementKind::Delete(delete) => &delete.table,
        _ => return (None, None),
    };
    let keyspace = name.keyspace.as_ref().map_or(keyspace, |keyspace| &keyspace.text);
    (Some(TableName::new(keyspace, &name.name.text)), Some(statement.kind))
}

/// Occurrences over the time that the logs cover.
fn rate(snapshot: &Snapshot, observed: &ObservedStatement) -> Option<String> {
    let statements = snapshot.statements.values();
    let first = statements.clone().filter_map(|it| it.first_ms).min()?;
    let last = statements.filter_map(|it| it.last_ms).max()?;
    let seconds = last.saturating_sub(first) as f64 / 1_000.0;
    if observed.count == 0 || seconds < 1.0 {
        return None;
    }
    let per_second = observed.count as f64 / seconds;
    Some(match per_second {
        rate if rate >= 1.0 => format!("{rate:.0}/s"),
        rate if rate * 3_600.0 >= 1.0 => format!("{:.0}/h", rate * 3_600.0),
        rate => format!("{:.0}/day", (rate * 86_400.0).max(1.0)),
    })
}

/// A name that was not given yet.
fn free_name(names: &mut BTreeSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{wanted}{number}");
        number += 1;
    }
    name
}

/// A name in SQL, quoted where it must be.
pub(super) fn name_text(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain);
    if is_word && !RESERVED.contains(&name) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Words of SQL that are common names of columns.
const RESERVED: [&str; 14] = [
    "user",
    "order",
    "group",
    "table",
    "column",
    "check",
    "default",
    "desc",
    "end",
    "from",
    "limit",
    "primary",
    "references",
    "to",
];
