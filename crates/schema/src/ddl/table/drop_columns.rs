//! ALTER TABLE ... DROP.

use std::sync::Arc;

use cql::Name;
use cql::types::Type;

use super::super::CatalogChange;
use super::alter::AlterTarget;
use crate::Result;
use crate::catalog::{Column, DroppedColumn, Table};
use crate::java::number;
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{ColumnReason, refuse};

/// Drops columns and records them.
pub(super) fn drop(
    target: &AlterTarget<'_>,
    if_exists: bool,
    names: &[Name],
    timestamp: Option<&str>,
) -> Result<CatalogChange> {
    // The parser has refused numbers that do not fit.
    let dropped_at = timestamp.and_then(|text| number::parse_long(text).ok());
    let mut distinct: Vec<&Name> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    let mut removed: Vec<Column> = Vec::new();
    for name in sort_by_hash(distinct, |name| identifier_hash(&name.text)) {
        removed.extend(column_to_drop(target, if_exists, name)?);
    }
    let loses_value = target.table.flags.dense && !removed.is_empty();
    let loses_hidden = removed.iter().any(|column| target.table.column(&column.name).is_none());
    if loses_value || loses_hidden {
        return refuse(ColumnReason::DropCompact, target.cx.span);
    }
    if removed.is_empty() {
        return Ok(CatalogChange::Nothing);
    }
    let mut table = Table::clone(target.table);
    let kept = table
        .columns()
        .iter()
        .filter(|column| !removed.iter().any(|gone| gone.name == column.name));
    table.set_columns(kept.cloned().collect());
    for mut column in removed {
        table.dropped.retain(|earlier| earlier.column.name != column.name);
        column.ty = expand_user_types(&column.ty);
        table.dropped.push(DroppedColumn { column, dropped_at });
    }
    Ok(CatalogChange::Table(Arc::new(table)))
}

fn column_to_drop(
    target: &AlterTarget<'_>,
    if_exists: bool,
    name: &Name,
) -> Result<Option<Column>> {
    let (text, span) = (&name.text, name.span);
    let hidden = target.table.hidden.iter().find(|column| column.name == *text);
    let Some(column) = target.table.column(text).or(hidden) else {
        if if_exists {
            return Ok(None);
        }
        return refuse(
            ColumnReason::NotFound {
                column: text.to_string(),
                table: target.table.qualified_name(),
            },
            span,
        );
    };
    if column.is_primary_key() {
        return refuse(ColumnReason::DropKey { column: text.to_string() }, span);
    }
    if matches!(column.ty, Type::User(..)) && column.is_multi_cell() {
        return refuse(
            ColumnReason::DropUserType { column: text.to_string(), ty: column.ty.to_string() },
            span,
        );
    }
    let dependents: Vec<_> = target.indexes_on(text).collect();
    if !dependents.is_empty() {
        return refuse(
            ColumnReason::DropIndexed { column: text.to_string(), indexes: dependents.join(", ") },
            span,
        );
    }
    if target.has_views() {
        return refuse(
            ColumnReason::DropOfBaseTable {
                column: text.to_string(),
                table: target.table.name.to_string(),
            },
            span,
        );
    }
    Ok(Some(column.clone()))
}

impl AlterTarget<'_> {
    /// The names of the indexes on a column.
    pub(super) fn indexes_on<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a str> {
        self.table
            .indexes
            .iter()
            .filter(move |index| &*index.column == column)
            .map(|index| &*index.name)
    }
}

/// The type with tuples in place of user types, which may be dropped later.
fn expand_user_types(ty: &Type) -> Type {
    let inner = |ty: &Arc<Type>| Arc::new(expand_user_types(ty));
    match ty {
        Type::Native(_) | Type::Custom(_) => ty.clone(),
        Type::List(element, frozen) => Type::List(inner(element), *frozen),
        Type::Set(element, frozen) => Type::Set(inner(element), *frozen),
        Type::Map(entry, frozen) => {
            Type::Map(Arc::new((expand_user_types(&entry.0), expand_user_types(&entry.1))), *frozen)
        }
        Type::Tuple(types) => Type::Tuple(types.iter().map(expand_user_types).collect()),
        Type::User(user, _) => {
            Type::Tuple(user.fields.iter().map(|(_, ty)| expand_user_types(ty)).collect())
        }
        Type::Vector(element, dimension) => Type::Vector(inner(element), *dimension),
    }
}
