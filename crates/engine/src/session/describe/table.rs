//! DESCRIBE of keyspaces, tables, indexes and views.

use std::fmt::Write;

use cql::printer::identifier;
use schema::catalog::{Column, ColumnKind, ColumnMask, Index, IndexClass, Keyspace, Table, View};

use super::cql_builder::{CqlBuilder, quote};
use super::options;
use crate::node::schema::Schema;
use crate::session::system;

/// `CREATE KEYSPACE`
pub(super) fn describe_keyspace(keyspace: &Keyspace) -> String {
    let name = identifier(&keyspace.name);
    if keyspace.is_virtual {
        return format!(
            "/*\nWarning: Keyspace {name} is a virtual keyspace and cannot be recreated with CQL.\n\
             Structure, for reference:\nVIRTUAL KEYSPACE {name};\n*/"
        );
    }
    let replication = &keyspace.replication;
    let class = &*replication.class;
    let class = class.strip_prefix("org.apache.cassandra.locator.").unwrap_or(class);
    let mut options = format!("'class': {}", quote(class));
    for (name, value) in &replication.options {
        let _ = write!(options, ", {}: {}", quote(name), quote(value));
    }
    format!(
        "CREATE KEYSPACE {name} WITH replication = {{{options}}}  AND durable_writes = {};",
        keyspace.durable_writes
    )
}

/// `CREATE INDEX`
pub(super) fn describe_index(table: &Table, index: &Index) -> String {
    let custom = if index.class == IndexClass::Legacy { "" } else { "CUSTOM " };
    let mut options = index.options.clone();
    let target = options.remove("target").unwrap_or_default();
    let mut text = format!(
        "CREATE {custom}INDEX {} ON {} ({target})",
        identifier(&index.name),
        table.qualified_name()
    );
    if index.class != IndexClass::Legacy {
        let class = options.remove("class_name").unwrap_or_default();
        let _ = write!(text, " USING {}", quote(&class));
        if !options.is_empty() {
            let _ = write!(text, " WITH OPTIONS = {}", options::map_literal(&options));
        }
    }
    text.push(';');
    text
}

/// `CREATE MATERIALIZED VIEW`
pub(super) fn describe_view(schema: &Schema, view: &View, with_internals: bool) -> String {
    let table = &view.table;
    let mut text = CqlBuilder::default();
    text.add("CREATE MATERIALIZED VIEW ")
        .add(table.qualified_name())
        .add(" AS")
        .new_line()
        .indent();
    text.add("SELECT ");
    if view.include_all {
        text.add('*');
    } else {
        text.list(table.columns().iter().map(|column| identifier(&column.name)));
    }
    text.new_line().add("FROM ").add(identifier(&table.keyspace)).add('.');
    text.add(identifier(&view.base_table)).new_line();
    text.add("WHERE ").add(system::where_clause(view)).new_line();
    add_primary_key(&mut text, table);
    text.outdent().add(" WITH ").indent();
    add_table_options(&mut text, schema, table, with_internals);
    text.finish()
}

/// `CREATE TABLE`; with internals, also its id and dropped columns.
pub(super) fn describe_table(schema: &Schema, table: &Table, with_internals: bool) -> String {
    let name = table.qualified_name();
    let mut text = CqlBuilder::default();
    if table.is_compact() {
        text.add(format_args!(
            "/*\nWarning: Table {name} omitted because it has constructs not compatible with CQL (was created via \
             legacy API).\nApproximate structure, for reference:\n(this should not be used to reproduce this schema)\n\n"
        ));
    }
    if table.is_virtual {
        text.add(format_args!(
            "/*\nWarning: Table {name} is a virtual table and cannot be recreated with CQL.\nStructure, for \
             reference:\n"
        ));
    }
    text.add(if table.is_virtual { "VIRTUAL" } else { "CREATE" });
    text.add(" TABLE ").add(&name).add(" (").new_line().indent();
    add_columns(&mut text, table, with_internals);
    if !has_short_key(table) {
        add_primary_key(&mut text, table);
    }
    text.outdent().add(") WITH ").indent();
    if table.is_compact() {
        text.add("COMPACT STORAGE").new_line().add("AND ");
    }
    add_table_options(&mut text, schema, table, with_internals);
    text.outdent();
    if table.is_virtual {
        text.new_line().add("*/");
    }
    if with_internals {
        add_drops(&mut text, table);
    }
    if table.is_compact() {
        text.new_line().add("*/");
    }
    text.finish()
}

/// Whether the key is a single column and printed with it. A table with COMPACT STORAGE always has
/// a clustering column, even if hidden.
fn has_short_key(table: &Table) -> bool {
    table.primary_key().len() == 1 && table.implicit_clustering().is_none()
}

/// Appends the columns in the server's order: single-cell ones before multi-cell ones.
fn add_columns(text: &mut CqlBuilder, table: &Table, with_dropped: bool) {
    let mut columns: Vec<&Column> = table.columns().iter().collect();
    columns.sort_by_key(|column| {
        let is_key = column.is_primary_key();
        (column.kind, if is_key { column.position } else { usize::from(column.is_multi_cell()) })
    });
    let dropped = if with_dropped { table.list_dropped_columns() } else { Vec::new() };
    let is_shown =
        |column: &Column| !dropped.iter().any(|dropped| dropped.column.name == column.name);
    let last = columns.len().saturating_sub(1);
    for (at, column) in columns.into_iter().enumerate().filter(|(_, column)| is_shown(column)) {
        add_column(text, column);
        if has_short_key(table) && column.kind == ColumnKind::Partition {
            text.add(" PRIMARY KEY");
        }
        if !has_short_key(table) || !dropped.is_empty() || at < last {
            text.add(',');
        }
        text.new_line();
    }
    for (at, one) in dropped.iter().enumerate() {
        add_column(text, &one.column);
        if !has_short_key(table) || at + 1 < dropped.len() {
            text.add(',');
        }
        text.new_line();
    }
}

fn add_column(text: &mut CqlBuilder, column: &Column) {
    text.add(identifier(&column.name)).add(' ').add(&column.ty);
    if column.kind == ColumnKind::Static {
        text.add(" static");
    }
    if let Some(mask) = &column.mask {
        text.add(" MASKED WITH ").add(mask_call(mask));
    }
}

fn mask_call(mask: &ColumnMask) -> String {
    let literal = |ty, value: &Option<Box<[u8]>>| {
        cql::value::literal(ty, value.as_deref()).unwrap_or_default()
    };
    let arguments: Vec<_> = mask.arguments.iter().map(|(ty, value)| literal(ty, value)).collect();
    format!("{}.{}({})", mask.keyspace, mask.function, arguments.join(", "))
}

fn add_primary_key(text: &mut CqlBuilder, table: &Table) {
    let names = |columns: &[Column]| {
        let names: Vec<_> = columns.iter().map(|column| identifier(&column.name)).collect();
        names.join(", ")
    };
    let partition = names(table.partition_key());
    text.add("PRIMARY KEY (");
    if table.partition_key().len() > 1 {
        text.add(format_args!("({partition})"));
    } else {
        text.add(partition);
    }
    if !table.clustering().is_empty() {
        text.add(", ").add(names(table.clustering()));
    }
    text.add(')').new_line();
}

fn add_table_options(text: &mut CqlBuilder, schema: &Schema, table: &Table, with_internals: bool) {
    if with_internals && let Some(handle) = schema.handle(table) {
        text.add("ID = ").add(handle.id).new_line().add("AND ");
    }
    let clustering: Vec<&Column> =
        table.implicit_clustering().into_iter().chain(table.clustering()).collect();
    if !clustering.is_empty() {
        let order = |column: &&Column| if column.descending { "DESC" } else { "ASC" };
        text.add("CLUSTERING ORDER BY (");
        text.list(
            clustering
                .iter()
                .map(|column| format!("{} {}", identifier(&column.name), order(column))),
        );
        text.add(')').new_line().add("AND ");
    }
    if table.is_virtual {
        text.add("comment = ").add(quote(&table.params.comment));
    } else {
        options::add_options(text, &table.params, table.is_view);
    }
    text.add(';');
}

/// Appends the dropped columns, and those that were added again.
fn add_drops(text: &mut CqlBuilder, table: &Table) {
    let name = table.qualified_name();
    for dropped in table.list_dropped_columns() {
        let column = identifier(&dropped.column.name);
        let time = dropped.dropped_at.unwrap_or(0);
        text.new_line()
            .add(format_args!("ALTER TABLE {name} DROP {column} USING TIMESTAMP {time};"));
        if let Some(again) = table.column(&dropped.column.name) {
            text.new_line().add(format_args!("ALTER TABLE {name} ADD "));
            add_column(text, again);
            text.add(';');
        }
    }
}
