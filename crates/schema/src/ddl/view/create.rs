//! CREATE MATERIALIZED VIEW.

use std::sync::Arc;

use cql::selectable::{Selectable, SelectableKind};
use cql::statement::view::CreateView;
use cql::term::Term;

use super::super::access::{DataResource, Permission, authorize, check_keyspace};
use super::super::existence::{existing_keyspace, skip_or_refuse};
use super::super::properties::Properties;
use super::super::{CatalogChange, options, table};
use super::{key, restrictions};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::term;
use crate::catalog::{Column, ColumnKind, Keyspace, Table, View};
use crate::refusal::{TableReason, ViewReason, refuse};

/// `CREATE MATERIALIZED VIEW`
pub(in crate::ddl) fn create(cx: &Context<'_>, statement: &CreateView) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let properties = Properties::new(&statement.options.properties, span);
    let keyspace = check_written(cx, statement)?;
    let base_name = &statement.table.name.text;
    authorize(Permission::Alter, DataResource::Table(&keyspace, base_name), span)?;
    check_keyspace(&keyspace, span)?;
    let found = existing_keyspace(cx, &keyspace, span)?;
    let Some(base) = found.tables.get(base_name) else {
        let is_view = found.views.contains_key(base_name);
        let table = base_name.to_string();
        let reason = if is_view {
            ViewReason::BaseIsView { table }
        } else {
            ViewReason::UnknownBase { table }
        };
        return refuse(reason, statement.table.span());
    };
    if found.tables.contains_key(name) {
        return refuse(ViewReason::ExistsAsTable { name: name.to_string() }, span);
    }
    if found.views.contains_key(name) {
        return skip_or_refuse(
            statement.if_not_exists,
            TableReason::Exists { table: name.to_string(), keyspace: keyspace.to_string() },
            span,
        );
    }
    check_base(base, name, statement)?;
    let selected = resolve_columns(base, statement)?;
    key::check(base, &selected, statement)?;
    restrictions::check(cx, base, statement)?;
    let view = build(found, base, &selected, statement, &properties)?;
    Ok(CatalogChange::View(Arc::new(view)))
}

/// The errors that do not depend on the schema; returns the keyspace.
fn check_written(cx: &Context<'_>, statement: &CreateView) -> Result<Box<str>> {
    let span = statement.name.span();
    let written = match &statement.name.keyspace {
        Some(keyspace) => format!("{}.{}", keyspace.text, statement.name.name.text),
        None => statement.name.name.text.to_string(),
    };
    table::check_distinct_order(&statement.options.clustering_order, &format!("view '{written}'"))?;
    let keyspace = cx.keyspace_of(&statement.name)?;
    if statement.table.keyspace.as_ref().is_some_and(|own| own.text != keyspace) {
        return refuse(ViewReason::OtherKeyspace, statement.table.span());
    }
    if !cx.markers.is_empty() {
        return refuse(ViewReason::Markers, span);
    }
    Ok(keyspace)
}

fn check_base(base: &Table, view: &str, statement: &CreateView) -> Result<()> {
    let span = statement.table.span();
    if base.is_counter() {
        return refuse(ViewReason::OnCounters, span);
    }
    if base.params.gc_grace_seconds == 0 {
        return refuse(
            ViewReason::GraceOfBaseTable { view: view.to_string(), table: base.name.to_string() },
            span,
        );
    }
    Ok(())
}

fn resolve_columns<'a>(base: &'a Table, statement: &CreateView) -> Result<Vec<&'a Column>> {
    let mut selected: Vec<&Column> = Vec::new();
    if statement.selectors.is_empty() {
        selected.extend(base.columns());
    }
    for selector in &statement.selectors {
        let (expression, span) = (&selector.expression, selector.expression.span);
        if selector.alias.is_some() {
            // The server prints the class of an object here, followed by a hash that always
            // differs.
            return refuse(ViewReason::Aliases, span);
        }
        let SelectableKind::Column(name) = &expression.kind else {
            return refuse(
                ViewReason::NotColumns { expression: selectable_text(expression) },
                span,
            );
        };
        let Some(column) = base.column(&name.text) else {
            let (name, table) = (cql::printer::identifier(&name.text), base.qualified_name());
            return refuse(ViewReason::UndefinedColumn { column: name, table }, span);
        };
        if !selected.iter().any(|earlier| earlier.name == column.name) {
            selected.push(column);
        }
    }
    if let Some(column) = selected.iter().find(|column| column.kind == ColumnKind::Static) {
        let (column, view) = (&column.name, &statement.name.name.text);
        return refuse(
            ViewReason::StaticColumn { column: column.to_string(), view: view.to_string() },
            statement.table.span(),
        );
    }
    Ok(selected)
}

/// The selected expressions as the server prints them: mostly the class of an object, here without
/// the hash after it, which always differs.
fn selectable_text(selectable: &Selectable) -> String {
    let class = match &selectable.kind {
        SelectableKind::Element(inner, key) => {
            return format!("{}[{}]", selectable_text(inner), term::text(key));
        }
        SelectableKind::Slice(inner, from, to) => {
            let bound =
                |term: &Option<Box<Term>>| term.as_deref().map_or_else(String::new, term::text);
            return format!("{}[{}..{}]", selectable_text(inner), bound(from), bound(to));
        }
        SelectableKind::Column(name) => return cql::printer::identifier(&name.text),
        SelectableKind::Term(_) => "WithTerm",
        SelectableKind::CellInfo(..) => "WritetimeOrTTL",
        SelectableKind::Cast(..) => "WithCast",
        SelectableKind::TypeHint(_) => "WithTypeHint",
        SelectableKind::Tuple(_) => "BetweenParenthesesOrWithTuple",
        SelectableKind::List(_) => "WithArrayLiteral",
        SelectableKind::Set(_) => "WithSet",
        SelectableKind::Map(_) => "WithMapOrUdt",
        SelectableKind::Field(..) => "WithFieldSelection",
        SelectableKind::CountRows
        | SelectableKind::Call(..)
        | SelectableKind::Negate(_)
        | SelectableKind::Arithmetic(..) => "WithFunction",
    };
    format!("org.apache.cassandra.cql3.selection.Selectable${class}$Raw")
}

fn build(
    keyspace: &Keyspace,
    base: &Table,
    selected: &[&Column],
    statement: &CreateView,
    properties: &Properties<'_>,
) -> Result<View> {
    let params = options::create(properties)?;
    if params.default_time_to_live != 0 {
        return refuse(ViewReason::TimeToLive, properties.span_of("default_time_to_live"));
    }
    let id = options::id(properties)?;
    let columns = selected.iter().map(|column| key::place_column(column, statement)).collect();
    let mut table = Table::new(&keyspace.name, &statement.name.name.text, columns);
    table.is_view = true;
    table.id = id;
    table.params = params;
    table::check_name(&table, statement.name.span())?;
    Ok(View {
        table: Arc::new(table),
        base_table: base.name.clone(),
        include_all: statement.selectors.is_empty(),
        relations: statement.relations.clone(),
    })
}
