//! The rows of `system_schema` as statements, from which the catalog is built as from a file.

use std::collections::BTreeMap;
use std::fmt::Write;

use cql::printer::identifier;
use schema::Session;

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::snapshot::TableName;

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system_schema.keyspaces",
        cql: "SELECT * FROM system_schema.keyspaces LIMIT 1000",
        is_per_node: false,
        read: RowReader::Schema(read_keyspaces),
    },
    SystemQuery {
        table: "system_schema.types",
        cql: "SELECT * FROM system_schema.types LIMIT 5000",
        is_per_node: false,
        read: RowReader::Schema(read_types),
    },
    SystemQuery {
        table: "system_schema.tables",
        cql: "SELECT * FROM system_schema.tables LIMIT 5000",
        is_per_node: false,
        read: RowReader::Schema(read_tables),
    },
    SystemQuery {
        table: "system_schema.columns",
        cql: "SELECT * FROM system_schema.columns LIMIT 10000",
        is_per_node: false,
        read: RowReader::Schema(read_columns),
    },
    SystemQuery {
        table: "system_schema.indexes",
        cql: "SELECT * FROM system_schema.indexes LIMIT 5000",
        is_per_node: false,
        read: RowReader::Schema(read_indexes),
    },
];

/// What was read of the schema.
#[derive(Debug, Default)]
pub struct SchemaRows {
    keyspaces: Vec<String>,
    types: Vec<String>,
    tables: BTreeMap<TableName, TableRow>,
    indexes: Vec<String>,
}

/// A table in the making.
#[derive(Debug, Default)]
struct TableRow {
    /// Options with their values as literals; without any the row of the table is missing.
    options: Vec<String>,
    compaction: Option<String>,
    is_compact: bool,
    is_table: bool,
    columns: Vec<ColumnRow>,
}

#[derive(Debug)]
struct ColumnRow {
    name: String,
    ty: String,
    kind: String,
    position: i64,
    is_descending: bool,
}

impl SchemaRows {
    /// A session with the schema, and the number of statements that could not be used.
    pub(super) fn build(&self) -> (Session, usize) {
        let mut session = Session::default();
        let mut waiting: Vec<Vec<String>> = Vec::new();
        for text in self.keyspaces.iter().chain(&self.types) {
            waiting.push(vec![text.clone()]);
        }
        for (name, table) in self.tables.iter().filter(|(_, table)| table.is_table) {
            // An unknown strategy must not cost the table.
            waiting.push(vec![table.create(name, true), table.create(name, false)]);
        }
        waiting.extend(self.indexes.iter().map(|text| vec![text.clone()]));
        // Types may refer to types further down: repeat as long as some statement is accepted.
        loop {
            let before = waiting.len();
            waiting.retain(|texts| !texts.iter().any(|text| run(&mut session, text)));
            if waiting.len() == before || waiting.is_empty() {
                return (session, waiting.len());
            }
        }
    }
}

fn run(session: &mut Session, text: &str) -> bool {
    let parsed = cql::parse(text);
    parsed.errors.is_empty()
        && parsed.statements.iter().all(|statement| session.run(statement).is_ok())
}

impl TableRow {
    fn create(&self, name: &TableName, with_compaction: bool) -> String {
        let mut text = format!("CREATE TABLE {name} (");
        for column in &self.columns {
            let is_static =
                if column.kind == "static" && !self.is_compact { " static" } else { "" };
            let _ = write!(text, "{} {}{is_static}, ", identifier(&column.name), column.ty);
        }
        let key = |kind: &str| {
            let mut columns: Vec<&ColumnRow> =
                self.columns.iter().filter(|column| column.kind == kind).collect();
            columns.sort_by_key(|column| column.position);
            columns
        };
        let names = |columns: &[&ColumnRow]| {
            let names = columns.iter().map(|column| identifier(&column.name));
            names.collect::<Vec<_>>().join(", ")
        };
        let clustering = key("clustering");
        let rest = if clustering.is_empty() { "" } else { ", " };
        let (partition, rows) = (names(&key("partition_key")), names(&clustering));
        let _ = write!(text, "PRIMARY KEY (({partition}){rest}{rows}))");
        let mut options = Vec::new();
        if !clustering.is_empty() {
            let order = clustering.iter().map(|column| {
                let direction = if column.is_descending { "DESC" } else { "ASC" };
                format!("{} {direction}", identifier(&column.name))
            });
            let order: Vec<String> = order.collect();
            options.push(format!("CLUSTERING ORDER BY ({})", order.join(", ")));
        }
        options.extend(self.is_compact.then(|| "COMPACT STORAGE".to_owned()));
        options.extend(self.options.iter().cloned());
        options.extend(self.compaction.clone().filter(|_| with_compaction));
        if !options.is_empty() {
            let _ = write!(text, " WITH {}", options.join(" AND "));
        }
        text
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn map_literal(entries: &[(String, String)]) -> String {
    let entries =
        entries.iter().map(|(key, value)| format!("{}: {}", literal(key), literal(value)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn is_system(row: SystemRow<'_>) -> bool {
    row.text("keyspace_name").is_none_or(|name| TableName::new(&name, "").is_system())
}

fn read_keyspaces(rows: &SystemRows, schema: &mut SchemaRows) {
    for row in rows.iter().filter(|row| !is_system(*row)) {
        let Some(name) = row.text("keyspace_name") else { continue };
        let replication = map_literal(&row.map("replication"));
        let name = identifier(&name);
        schema.keyspaces.push(format!("CREATE KEYSPACE {name} WITH replication = {replication}"));
    }
}

fn read_types(rows: &SystemRows, schema: &mut SchemaRows) {
    for row in rows.iter().filter(|row| !is_system(*row)) {
        let (Some(keyspace), Some(name)) = (row.text("keyspace_name"), row.text("type_name"))
        else {
            continue;
        };
        let fields = row.texts("field_names").into_iter().zip(row.texts("field_types"));
        let fields = fields.map(|(name, ty)| format!("{} {ty}", identifier(&name)));
        let fields: Vec<String> = fields.collect();
        let (keyspace, name) = (identifier(&keyspace), identifier(&name));
        schema.types.push(format!("CREATE TYPE {keyspace}.{name} ({})", fields.join(", ")));
    }
}

fn read_tables(rows: &SystemRows, schema: &mut SchemaRows) {
    for row in rows.iter().filter(|row| !is_system(*row)) {
        let (Some(keyspace), Some(name)) = (row.text("keyspace_name"), row.text("table_name"))
        else {
            continue;
        };
        let table = schema.tables.entry(TableName::new(&keyspace, &name)).or_default();
        table.is_table = true;
        let flags = row.texts("flags");
        table.is_compact = !flags.is_empty()
            && (flags.iter().any(|flag| flag == "dense")
                || !flags.iter().any(|flag| flag == "compound"));
        for option in ["gc_grace_seconds", "default_time_to_live"] {
            let value = row.integer(option).filter(|value| *value > 0 || option.starts_with("gc"));
            table.options.extend(value.map(|value| format!("{option} = {value}")));
        }
        let compaction = row.map("compaction");
        table.compaction =
            (!compaction.is_empty()).then(|| format!("compaction = {}", map_literal(&compaction)));
    }
}

fn read_columns(rows: &SystemRows, schema: &mut SchemaRows) {
    for row in rows.iter().filter(|row| !is_system(*row)) {
        let names = row.text("keyspace_name").zip(row.text("table_name"));
        let facts = row.text("column_name").zip(row.text("type")).zip(row.text("kind"));
        let (Some((keyspace, table)), Some(((name, ty), kind))) = (names, facts) else { continue };
        let table = schema.tables.entry(TableName::new(&keyspace, &table)).or_default();
        table.columns.push(ColumnRow {
            name,
            ty,
            kind,
            position: row.integer("position").unwrap_or(0),
            is_descending: row.text("clustering_order").is_some_and(|order| order == "desc"),
        });
    }
}

fn read_indexes(rows: &SystemRows, schema: &mut SchemaRows) {
    for row in rows.iter().filter(|row| !is_system(*row)) {
        let names = row.text("keyspace_name").zip(row.text("table_name"));
        let (Some((keyspace, table)), Some(name)) = (names, row.text("index_name")) else {
            continue;
        };
        let options = row.map("options");
        let option = |name: &str| {
            options.iter().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
        };
        let Some(target) = option("target") else { continue };
        let table = TableName::new(&keyspace, &table);
        let name = identifier(&name);
        schema.indexes.push(match option("class_name") {
            Some(class) => {
                format!("CREATE CUSTOM INDEX {name} ON {table} ({target}) USING {}", literal(class))
            }
            None => format!("CREATE INDEX {name} ON {table} ({target})"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnRow, SchemaRows, TableRow};
    use crate::snapshot::TableName;

    #[test]
    fn tables_are_rebuilt_whatever_their_options() {
        let column = |name: &str, kind: &str, ty: &str| ColumnRow {
            name: name.to_owned(),
            ty: ty.to_owned(),
            kind: kind.to_owned(),
            position: 0,
            is_descending: kind == "clustering",
        };
        let table = TableRow {
            options: vec!["gc_grace_seconds = 3600".to_owned()],
            compaction: Some("compaction = {'class': 'IncrementalCompactionStrategy'}".to_owned()),
            is_table: true,
            columns: vec![
                column("Id", "partition_key", "int"),
                column("at", "clustering", "timestamp"),
                column("home", "regular", "frozen<address>"),
            ],
            ..TableRow::default()
        };
        let class = "org.apache.cassandra.locator.NetworkTopologyStrategy";
        let rows = SchemaRows {
            keyspaces: vec![format!(
                "CREATE KEYSPACE shop WITH replication = {{'class': '{class}', 'eu_west': '3'}}"
            )],
            types: vec![
                "CREATE TYPE shop.address (city frozen<city>)".to_owned(),
                "CREATE TYPE shop.city (name text)".to_owned(),
            ],
            tables: [(TableName::new("shop", "T"), table)].into(),
            indexes: vec!["CREATE INDEX by_home ON shop.\"T\" (home)".to_owned()],
        };
        let (session, refused) = rows.build();
        assert_eq!(refused, 0);
        let table = session.catalog.table("shop", "T").expect("the table");
        assert_eq!(table.params.gc_grace_seconds, 3_600);
        assert!(table.clustering()[0].descending && table.indexes.len() == 1);
    }
}
