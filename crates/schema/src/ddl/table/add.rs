//! ALTER TABLE ... ADD.

use std::sync::Arc;

use cql::statement::table::ColumnDefinition;

use super::super::{CatalogChange, mask};
use super::alter::AlterTarget;
use super::{has_nested_multi_cell, validate};
use crate::Result;
use crate::bind::types;
use crate::catalog::{Column, ColumnKind, Table};
use crate::refusal::{ColumnReason, refuse};

/// Adds columns to the table, and to the views that select all columns.
pub(super) fn add(
    target: &AlterTarget<'_>,
    if_not_exists: bool,
    definitions: &[ColumnDefinition],
) -> Result<CatalogChange> {
    let mut table = Table::clone(target.table);
    let mut added: Vec<Column> = Vec::new();
    for definition in definitions {
        if let Some(column) = new_column(target, &table, if_not_exists, definition)? {
            append(&mut table, &column);
            added.push(column);
        }
    }
    validate::check_counters(&table, target.name.span())?;
    if added.is_empty() {
        return Ok(CatalogChange::Nothing);
    }
    if !target.has_views() {
        return Ok(CatalogChange::Table(Arc::new(table)));
    }
    Ok(target.with_views(table, |view| {
        if view.include_all {
            for column in added.iter().filter(|column| column.kind == ColumnKind::Regular) {
                append(Arc::make_mut(&mut view.table), column);
            }
        }
    }))
}

fn append(table: &mut Table, column: &Column) {
    let mut columns = table.columns().to_vec();
    columns.push(column.clone());
    table.set_columns(columns);
}

fn new_column(
    target: &AlterTarget<'_>,
    table: &Table,
    if_not_exists: bool,
    definition: &ColumnDefinition,
) -> Result<Option<Column>> {
    let name = &definition.name.text;
    let ty = types::resolve(target.cx.catalog, &table.keyspace, &definition.type_name)?;
    let owner =
        mask::ColumnOwner { keyspace: &table.keyspace, table: &table.name, descending: false };
    let mask = match &definition.mask {
        Some(mask) => Some(mask::prepare(target.cx, &owner, name, &ty, mask)?.into()),
        None => None,
    };
    if table.column(name).is_some() || table.hidden.iter().any(|column| column.name == *name) {
        if if_not_exists {
            return Ok(None);
        }
        return refuse(ColumnReason::Exists { column: name.to_string() }, definition.name.span);
    }
    if table.is_compact() {
        return refuse(ColumnReason::AddToCompact, definition.span);
    }
    if definition.is_static && table.clustering().is_empty() {
        return refuse(ColumnReason::StaticWithoutClustering, definition.span);
    }
    let kind = if definition.is_static { ColumnKind::Static } else { ColumnKind::Regular };
    let column = Column { name: name.clone(), ty, kind, position: 0, descending: false, mask };
    if has_nested_multi_cell(&column) {
        return refuse(
            ColumnReason::NestedNonFrozen { column: name.to_string() },
            definition.type_name.span,
        );
    }
    check_dropped(table, &column, definition)?;
    Ok(Some(column))
}

/// A dropped column may only be added again with a compatible type: its old cells are still on
/// disk.
fn check_dropped(table: &Table, column: &Column, definition: &ColumnDefinition) -> Result<()> {
    let Some(dropped) = table.dropped.iter().find(|dropped| dropped.column.name == column.name)
    else {
        return Ok(());
    };
    let (name, old) = (&column.name, &dropped.column);
    let both_or_none = column.ty.is_collection() == old.ty.is_collection();
    if !both_or_none || !column.ty.is_serialization_compatible_with(&old.ty) {
        return refuse(
            ColumnReason::DroppedType {
                column: name.to_string(),
                ty: column.ty.to_string(),
                old: old.ty.to_string(),
            },
            definition.type_name.span,
        );
    }
    if column.kind != old.kind {
        let text = |kind| if kind == ColumnKind::Static { "STATIC" } else { "REGULAR" };
        return refuse(
            ColumnReason::DroppedKind {
                column: name.to_string(),
                kind: text(column.kind).to_string(),
                old: text(old.kind).to_string(),
            },
            definition.span,
        );
    }
    if table.is_counter() {
        return refuse(ColumnReason::DroppedCounter { column: name.to_string() }, definition.span);
    }
    Ok(())
}
