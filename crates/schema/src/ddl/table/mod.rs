//! CREATE, ALTER and DROP TABLE.

mod add;
mod alter;
mod compact;
mod create;
mod drop_columns;
mod order;
mod rename;
mod validate;

use cql::statement::table::DropTable;

use super::CatalogChange;
use super::access::{DataResource, Permission, authorize, check_keyspace};
use super::existence::skip_or_refuse;
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::Column;
use crate::refusal::{NameReason, TableReason, refuse};

pub(super) use alter::alter;
pub(super) use create::create;
pub(super) use order::check_distinct as check_distinct_order;
pub(super) use validate::check_name;

/// `DROP TABLE`
pub(super) fn drop(cx: &Context<'_>, statement: &DropTable) -> Result<CatalogChange> {
    let keyspace = cx.keyspace_of(&statement.name)?;
    let (name, span) = (&statement.name.name.text, statement.name.span());
    authorize(Permission::Drop, DataResource::Table(&keyspace, name), span)?;
    check_keyspace(&keyspace, span)?;
    let existing = cx.catalog.keyspace(&keyspace);
    let Some(table) = existing.and_then(|keyspace| keyspace.table_or_view(name)) else {
        return skip_or_refuse(
            statement.if_exists,
            NameReason::UnknownTable { keyspace: keyspace.to_string(), table: name.to_string() },
            span,
        );
    };
    if table.is_view {
        return refuse(TableReason::DropView, span);
    }
    if existing.is_some_and(|keyspace| keyspace.views_of(name).next().is_some()) {
        // The server intends to name the views, but names the keyspace.
        return refuse(TableReason::DropBaseTable { keyspace: keyspace.to_string() }, span);
    }
    Ok(CatalogChange::DropTable { keyspace, name: name.clone() })
}

/// Whether a user type that is not frozen contains collections that are not.
pub(super) fn has_nested_multi_cell(column: &Column) -> bool {
    column.ty.is_multi_cell()
        && !column.ty.is_collection()
        && column.ty.parts().into_iter().any(cql::types::Type::is_multi_cell)
}
