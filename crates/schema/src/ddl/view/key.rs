//! The primary key of a view: all key columns of the base table, and at most one other column.

use cql::Name;
use cql::statement::view::CreateView;

use crate::Result;
use crate::catalog::{Column, ColumnKind, Table};
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{ViewReason, refuse};

/// The partition key, then the clustering columns.
pub(super) fn names(statement: &CreateView) -> impl Iterator<Item = &Name> {
    statement.primary_key.partition.iter().chain(&statement.primary_key.clustering)
}

/// Checks the key and the clustering order.
pub(super) fn check(base: &Table, selected: &[&Column], statement: &CreateView) -> Result<()> {
    check_columns(selected, statement)?;
    let order = &statement.options.clustering_order;
    if !order.is_empty()
        && !order.iter().map(|item| &item.column).eq(&statement.primary_key.clustering)
    {
        return refuse(ViewReason::OrderOfColumns, statement.primary_key.span);
    }
    let in_key = |column: &Column| names(statement).any(|name| name.text == column.name);
    let missing: Vec<_> = base
        .primary_key()
        .iter()
        .filter(|column| !in_key(column))
        .map(|column| &*column.name)
        .collect();
    if !missing.is_empty() {
        return refuse(
            ViewReason::MissingKeyColumns {
                view: statement.name.name.text.to_string(),
                columns: missing.join(", "),
                table: base.name.to_string(),
            },
            statement.primary_key.span,
        );
    }
    let others =
        names(statement).filter(|name| !base.primary_key().iter().any(|own| own.name == name.text));
    let others = sort_by_hash(others, |name| identifier_hash(&name.text));
    if others.len() > 1 {
        let names: Vec<_> = others.iter().map(|name| &*name.text).collect();
        return refuse(
            ViewReason::ManyOtherColumns { columns: names.join(", ") },
            statement.primary_key.span,
        );
    }
    Ok(())
}

fn check_columns(selected: &[&Column], statement: &CreateView) -> Result<()> {
    let view = &statement.name.name.text;
    for (at, name) in names(statement).enumerate() {
        let (text, span) = (&name.text, name.span);
        let Some(column) = selected.iter().find(|column| column.name == *text) else {
            return refuse(
                ViewReason::UnknownKeyColumn { column: text.to_string(), view: view.to_string() },
                span,
            );
        };
        if names(statement).take(at).any(|earlier| earlier == name) {
            return refuse(
                ViewReason::DuplicateKeyColumn { column: text.to_string(), view: view.to_string() },
                span,
            );
        }
        let ty = &column.ty;
        if ty.is_multi_cell() {
            let what = if ty.is_collection() { "collection" } else { "user-defined" };
            let class = ty.class_name();
            return refuse(
                ViewReason::NonFrozenKeyColumn {
                    what: what.to_string(),
                    class,
                    column: text.to_string(),
                },
                span,
            );
        }
        if ty.has_duration() {
            return refuse(ViewReason::DurationKeyColumn { column: text.to_string() }, span);
        }
    }
    Ok(())
}

/// A base column as the view has it. Without an order in the view, it keeps that of the base table,
/// even in the partition key.
pub(super) fn place_column(column: &Column, statement: &CreateView) -> Column {
    let position = |names: &[Name]| names.iter().position(|name| name.text == column.name);
    let key = &statement.primary_key;
    let (kind, position) = match (position(&key.partition), position(&key.clustering)) {
        (Some(position), _) => (ColumnKind::Partition, position),
        (None, Some(position)) => (ColumnKind::Clustering, position),
        (None, None) => (ColumnKind::Regular, 0),
    };
    let mut order = statement.options.clustering_order.iter();
    let ordered = order.find(|item| item.column.text == column.name).map(|item| item.descending);
    let descending = ordered.unwrap_or(column.descending);
    Column { kind, position, descending, ..column.clone() }
}
