//! CREATE TABLE.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cql::statement::table::{ColumnDefinition, CreateTable};
use cql::type_name::TypeNameKind;
use cql::types::{NativeType, Type};
use cql::{Name, QualifiedName, Span};

use super::super::access::{DataResource, Permission, authorize, check_keyspace};
use super::super::existence::{existing_keyspace, skip_or_refuse};
use super::super::properties::Properties;
use super::super::{CatalogChange, mask, options};
use super::{check_name, compact, has_nested_multi_cell, order, validate};
use crate::bind::context::Context;
use crate::bind::types;
use crate::catalog::{Column, ColumnKind, Keyspace, Table, TableFlags, TableParams};
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{ColumnReason, OptionReason, TableReason, refuse};
use crate::{Refusal, Result};

/// `CREATE TABLE`
pub(in crate::ddl) fn create(cx: &Context<'_>, statement: &CreateTable) -> Result<CatalogChange> {
    let span = statement.name.span();
    let properties = Properties::new(&statement.options.properties, span);
    check_duplicates(statement)?;
    let keyspace = cx.keyspace_of(&statement.name)?;
    let key = key_of(statement)?;
    authorize(Permission::Create, DataResource::AllTables(&keyspace), span)?;
    options::check_values(&properties)?;
    check_keyspace(&keyspace, span)?;
    let existing = existing_keyspace(cx, &keyspace, span)?;
    let name = &statement.name.name.text;
    if existing.tables.contains_key(name) {
        return skip_or_refuse(
            statement.if_not_exists,
            TableReason::Exists { table: name.to_string(), keyspace: keyspace.to_string() },
            span,
        );
    }
    let params = options::create(&properties)?;
    let mut table = build(cx, existing, statement, &key, params)?;
    table.id = options::id(&properties)?;
    check_name(&table, span)?;
    validate::check_counters(&table, span)?;
    if existing.views.contains_key(name) {
        return refuse(
            TableReason::ExistsAsView { keyspace: keyspace.to_string(), table: name.to_string() },
            span,
        );
    }
    check_id(existing, &table, span)?;
    Ok(CatalogChange::Table(Arc::new(table)))
}

/// The server does not refuse an id that another table of the keyspace has, but fails on it.
fn check_id(keyspace: &Keyspace, table: &Table, span: Span) -> Result<()> {
    let Some(id) = &table.id else { return Ok(()) };
    match keyspace.tables.values().find(|other| other.id == table.id) {
        None => Ok(()),
        Some(other) => {
            let (new, old) = (table.qualified_name(), other.qualified_name());
            refuse(TableReason::SameId { id: id.to_string(), new, old }, span)
        }
    }
}

/// The primary key: of a column definition, or of a PRIMARY KEY clause.
struct KeyColumns<'a> {
    partition: Vec<&'a Name>,
    clustering: &'a [Name],
}

impl<'a> KeyColumns<'a> {
    fn names(&self) -> impl Iterator<Item = &'a Name> + '_ {
        self.partition.iter().copied().chain(self.clustering)
    }

    /// The kind and position of each key column.
    fn places(&self) -> HashMap<&'a str, (ColumnKind, usize)> {
        let place = |kind| move |(at, name): (usize, &'a Name)| (&*name.text, (kind, at));
        let partition = self.partition.iter().copied().enumerate();
        let clustering = self.clustering.iter().enumerate();
        let partition = partition.map(place(ColumnKind::Partition));
        partition.chain(clustering.map(place(ColumnKind::Clustering))).collect()
    }
}

/// The errors of the server's parser: a column or a key that is declared twice.
fn check_duplicates(statement: &CreateTable) -> Result<()> {
    let name = raw_name(&statement.name);
    let mut seen = HashSet::new();
    for column in &statement.columns {
        if !seen.insert(&*column.name.text) {
            return refuse(
                TableReason::DuplicateColumn { column: column.name.text.to_string(), table: name },
                column.name.span,
            );
        }
    }
    let inline =
        statement.columns.iter().filter(|column| column.primary_key).map(|column| column.span);
    if let Some(second) = inline.chain(statement.primary_keys.iter().map(|key| key.span)).nth(1) {
        return refuse(TableReason::ManyPrimaryKeys { table: name }, second);
    }
    order::check_distinct(&statement.options.clustering_order, &format!("table '{name}'"))
}

fn raw_name(name: &QualifiedName) -> String {
    match &name.keyspace {
        Some(keyspace) => format!("{}.{}", keyspace.text, name.name.text),
        None => name.name.text.to_string(),
    }
}

fn key_of(statement: &CreateTable) -> Result<KeyColumns<'_>> {
    if let Some(column) = statement.columns.iter().find(|column| column.primary_key) {
        return Ok(KeyColumns { partition: vec![&column.name], clustering: &[] });
    }
    if let Some(key) = statement.primary_keys.first() {
        return Ok(KeyColumns {
            partition: key.partition.iter().collect(),
            clustering: &key.clustering,
        });
    }
    let name = raw_name(&statement.name);
    refuse(TableReason::NoPrimaryKey { table: name }, statement.name.span())
}

fn build(
    cx: &Context<'_>,
    keyspace: &Keyspace,
    statement: &CreateTable,
    key: &KeyColumns<'_>,
    params: TableParams,
) -> Result<Table> {
    let mut columns = build_columns(cx, keyspace, statement)?;
    columns.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    if let Some(column) = columns.iter().find(|column| has_nested_multi_cell(column)) {
        let span = definition(statement, &column.name)
            .map_or(cx.span, |definition| definition.type_name.span);
        return refuse(ColumnReason::NestedNonFrozenTypes, span);
    }
    check_key(statement, key, &columns)?;
    place_key(key, statement, &mut columns);
    order::check(&statement.options.clustering_order, key.clustering)?;
    check_statics(statement, key, &columns)?;
    let counter = check_counters(statement, &columns, &params)?;
    let mut table = Table::new(&keyspace.name, &statement.name.name.text, columns);
    table.flags = TableFlags { compound: true, dense: false, is_super: false, counter };
    table.params = params;
    if statement.options.compact_storage.is_some() {
        compact::lay_out(&mut table);
    }
    Ok(table)
}

fn definition<'a>(statement: &'a CreateTable, name: &str) -> Option<&'a ColumnDefinition> {
    statement.columns.iter().find(|definition| &*definition.name.text == name)
}

/// The columns with their types, before the key is applied. The server takes them in the order of a
/// hash map.
fn build_columns(
    cx: &Context<'_>,
    keyspace: &Keyspace,
    statement: &CreateTable,
) -> Result<Vec<Column>> {
    let ordered =
        sort_by_hash(&statement.columns, |definition| identifier_hash(&definition.name.text));
    let mut columns = Vec::with_capacity(ordered.len());
    for definition in ordered {
        let ty = types::resolve(cx.catalog, &keyspace.name, &definition.type_name)?;
        let owner = mask::ColumnOwner {
            keyspace: &keyspace.name,
            table: &statement.name.name.text,
            descending: false,
        };
        let mask = match &definition.mask {
            Some(mask) => Some(mask::prepare(cx, &owner, &definition.name.text, &ty, mask)?.into()),
            None => None,
        };
        let kind = if definition.is_static { ColumnKind::Static } else { ColumnKind::Regular };
        columns.push(Column {
            name: definition.name.text.clone(),
            ty,
            kind,
            position: 0,
            descending: false,
            mask,
        });
    }
    Ok(columns)
}

/// Checks the key against the columns, which are sorted by name.
fn check_key(statement: &CreateTable, key: &KeyColumns<'_>, columns: &[Column]) -> Result<()> {
    let table = &statement.name.name.text;
    let mut seen = HashSet::new();
    for name in key.names() {
        let (text, span) = (&name.text, name.span);
        let position =
            columns.binary_search_by(|column| column.name.as_bytes().cmp(text.as_bytes()));
        let Some(column) = position.ok().and_then(|at| columns.get(at)) else {
            return refuse(
                TableReason::UnknownKeyColumn {
                    column: text.to_string(),
                    table: table.to_string(),
                },
                span,
            );
        };
        if !seen.insert(text) {
            return refuse(
                TableReason::DuplicateKeyColumn {
                    column: text.to_string(),
                    table: table.to_string(),
                },
                span,
            );
        }
        check_key_type(&column.ty, text, span)?;
        if column.kind == ColumnKind::Static {
            return refuse(TableReason::StaticKeyColumn { column: text.to_string() }, span);
        }
    }
    Ok(())
}

fn check_key_type(ty: &Type, column: &str, span: Span) -> Result<()> {
    if ty.is_multi_cell() {
        let column = column.to_owned();
        let reason = match ty {
            Type::User(user, _) => TableReason::NonFrozenTypeKeyColumn {
                keyspace: user.keyspace.to_string(),
                ty: user.name.to_string(),
                column,
            },
            _ => TableReason::NonFrozenKeyColumn { ty: ty.to_string(), column },
        };
        let help = format!("write `frozen<{ty}>`; a key is compared as a whole");
        return Err(Box::new(Refusal::new(reason, span).with_help(help)));
    }
    if ty.is_counter() {
        return refuse(TableReason::CounterKeyColumn { column: column.to_string() }, span);
    }
    if ty.has_duration() {
        return refuse(TableReason::DurationKeyColumn { column: column.to_string() }, span);
    }
    Ok(())
}

fn place_key(key: &KeyColumns<'_>, statement: &CreateTable, columns: &mut [Column]) {
    let places = key.places();
    let order = statement.options.clustering_order.iter().filter(|item| item.descending);
    let descending: HashSet<&str> = order.map(|item| &*item.column.text).collect();
    for column in columns {
        if let Some((kind, position)) = places.get(&*column.name) {
            (column.kind, column.position) = (*kind, *position);
            column.descending =
                *kind == ColumnKind::Clustering && descending.contains(&*column.name);
        }
    }
}

fn check_statics(statement: &CreateTable, key: &KeyColumns<'_>, columns: &[Column]) -> Result<()> {
    if let Some(span) = statement.options.compact_storage {
        let others: Vec<&Column> =
            columns.iter().filter(|column| !column.is_primary_key()).collect();
        return compact::check(&others, !key.clustering.is_empty(), span);
    }
    match statement.columns.iter().find(|definition| definition.is_static) {
        Some(definition) if key.clustering.is_empty() => {
            refuse(ColumnReason::StaticWithoutClustering, definition.span)
        }
        _ => Ok(()),
    }
}

/// Whether it is a counter table, which may have no other columns.
fn check_counters(
    statement: &CreateTable,
    columns: &[Column],
    params: &TableParams,
) -> Result<bool> {
    let is_counter = |definition: &&ColumnDefinition| matches!(definition.type_name.kind, TypeNameKind::Native(native) if native.ty == NativeType::Counter);
    let Some(counter) = statement.columns.iter().find(is_counter) else { return Ok(false) };
    if columns.iter().any(|column| !column.is_primary_key() && !column.ty.is_counter()) {
        let help = "move the counters to a separate table with the same key";
        let refusal = Refusal::new(TableReason::MixedCounters, counter.span);
        return Err(Box::new(refusal.with_help(help)));
    }
    if params.default_time_to_live > 0 {
        return refuse(OptionReason::TtlOfCounters, counter.span);
    }
    Ok(true)
}
