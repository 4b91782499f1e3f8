//! ALTER TABLE: the lookup of the table, and the changes that do not concern columns.

use std::sync::Arc;

use cql::statement::table::{AlterTable, Mask, TableChange};
use cql::{Name, QualifiedName};

use super::super::access::{DataResource, Permission, authorize, check_keyspace};
use super::super::existence::skip_or_refuse;
use super::super::properties::Properties;
use super::super::{CatalogChange, mask, options};
use super::{add, compact, drop_columns, rename};
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{Keyspace, Table};
use crate::refusal::{ColumnReason, NameReason, OptionReason, TableReason, refuse};

/// A table that is altered, with its keyspace.
pub(super) struct AlterTarget<'a> {
    pub(super) cx: &'a Context<'a>,
    pub(super) keyspace: &'a Arc<Keyspace>,
    pub(super) table: &'a Arc<Table>,
    pub(super) name: &'a QualifiedName,
}

/// `ALTER TABLE`
pub(in crate::ddl) fn alter(cx: &Context<'_>, statement: &AlterTable) -> Result<CatalogChange> {
    let span = statement.name.span();
    let properties = match &statement.change {
        TableChange::With(properties) => Some(Properties::new(properties, span)),
        _ => None,
    };
    let keyspace_name = cx.keyspace_of(&statement.name)?;
    let name = &statement.name.name.text;
    authorize(Permission::Alter, DataResource::Table(&keyspace_name, name), span)?;
    if let Some(properties) = &properties {
        options::check_values(properties)?;
    }
    check_keyspace(&keyspace_name, span)?;
    let keyspace = cx.catalog.keyspace(&keyspace_name);
    let existing = keyspace.and_then(|keyspace| Some((keyspace, keyspace.table_or_view(name)?)));
    let Some((keyspace, table)) = existing else {
        return skip_or_refuse(
            statement.if_exists,
            NameReason::UnknownTable {
                keyspace: keyspace_name.to_string(),
                table: name.to_string(),
            },
            span,
        );
    };
    if table.is_view {
        return refuse(TableReason::AlterView, span);
    }
    let target = AlterTarget { cx, keyspace, table, name: &statement.name };
    match (&statement.change, &properties) {
        (TableChange::AlterType(column, _), _) => refuse(ColumnReason::AlterType, column.span),
        (TableChange::Mask { if_exists, column, mask }, _) => {
            target.alter_mask(*if_exists, column, mask.as_ref())
        }
        (TableChange::Add { if_not_exists, columns }, _) => {
            add::add(&target, *if_not_exists, columns)
        }
        (TableChange::Drop { if_exists, columns, timestamp }, _) => {
            drop_columns::drop(&target, *if_exists, columns, timestamp.as_deref())
        }
        (TableChange::Rename { columns, .. }, _) => rename::rename(&target, columns),
        (TableChange::DropCompactStorage, _) => {
            let mut table = Table::clone(table);
            compact::drop_storage(&mut table, &statement.name.name)?;
            Ok(CatalogChange::Table(Arc::new(table)))
        }
        (TableChange::With(_), Some(properties)) => target.alter_options(properties),
        (TableChange::With(_), None) => Ok(CatalogChange::Nothing),
    }
}

impl AlterTarget<'_> {
    /// The keyspace with the altered table, and with the views altered likewise.
    pub(super) fn with_views(
        &self,
        table: Table,
        change_view: impl Fn(&mut crate::catalog::View),
    ) -> CatalogChange {
        let mut keyspace = Keyspace::clone(self.keyspace);
        keyspace.views.replace_values(|view| {
            let mut own = (view.base_table == table.name).then(|| Arc::clone(view))?;
            change_view(Arc::make_mut(&mut own));
            Some(own)
        });
        keyspace.put_table(table);
        CatalogChange::Keyspace(Arc::new(keyspace))
    }

    /// Whether the table has views.
    pub(super) fn has_views(&self) -> bool {
        self.keyspace.views_of(&self.table.name).next().is_some()
    }

    fn alter_mask(
        &self,
        if_exists: bool,
        name: &Name,
        mask: Option<&Mask>,
    ) -> Result<CatalogChange> {
        let Some(column) = self.table.column(&name.text) else {
            if if_exists {
                return Ok(CatalogChange::Nothing);
            }
            return refuse(
                ColumnReason::Unknown {
                    column: name.text.to_string(),
                    table: self.table.name.to_string(),
                },
                name.span,
            );
        };
        let owner = mask::ColumnOwner {
            keyspace: &self.keyspace.name,
            table: &self.table.name,
            descending: column.descending,
        };
        let mask = match mask {
            Some(mask) => {
                Some(mask::prepare(self.cx, &owner, &name.text, &column.ty, mask)?.into())
            }
            None => None,
        };
        if column.mask == mask {
            return Ok(CatalogChange::Nothing);
        }
        let set_mask = |table: &mut Table| {
            let mut columns = table.columns().to_vec();
            for column in columns.iter_mut().filter(|column| column.name == name.text) {
                column.mask.clone_from(&mask);
            }
            table.set_columns(columns);
        };
        let mut table = Table::clone(self.table);
        set_mask(&mut table);
        Ok(self.with_views(table, |view| set_mask(Arc::make_mut(&mut view.table))))
    }

    fn alter_options(&self, properties: &Properties<'_>) -> Result<CatalogChange> {
        let params = options::alter(properties, &self.table.params)?;
        if self.table.is_counter() && params.default_time_to_live > 0 {
            return refuse(OptionReason::TtlOfCounters, properties.span_of("default_time_to_live"));
        }
        if self.has_views() && params.gc_grace_seconds == 0 {
            return refuse(OptionReason::GraceOfBaseTable, properties.span_of("gc_grace_seconds"));
        }
        let mut table = Table::clone(self.table);
        table.params = params;
        Ok(CatalogChange::Table(Arc::new(table)))
    }
}
