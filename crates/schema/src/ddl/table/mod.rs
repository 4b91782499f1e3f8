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

use super::Change;
use super::access::{Permission, Resource, authorize, check_keyspace};
use super::refusal::invalid;
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::Column;

pub(super) use alter::alter;
pub(super) use create::create;
pub(super) use order::check_distinct as check_distinct_order;
pub(super) use validate::check_name;

/// `DROP TABLE`
pub(super) fn drop(cx: &Context<'_>, statement: &DropTable) -> Result<Change> {
    let keyspace = cx.keyspace_of(&statement.name)?;
    let (name, span) = (&statement.name.name.text, statement.name.span());
    authorize(Permission::Drop, Resource::Table(&keyspace, name), span)?;
    check_keyspace(&keyspace, span)?;
    let found = cx.catalog.keyspace(&keyspace);
    let Some(table) = found.and_then(|keyspace| keyspace.table_or_view(name)) else {
        if statement.if_exists {
            return Ok(Change::Nothing);
        }
        return invalid("SV028", format!("Table '{keyspace}.{name}' doesn't exist"), span);
    };
    if table.is_view {
        let message = "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.";
        return invalid("SV026", message, span);
    }
    if found.is_some_and(|keyspace| keyspace.views_of(name).next().is_some()) {
        // The server means to name the views and names the keyspace.
        let message =
            format!("Cannot drop a table when materialized views still depend on it ({keyspace})");
        return invalid("SV026", message, span);
    }
    Ok(Change::DropTable { keyspace, name: name.clone() })
}

/// A user type that is not frozen must not hold collections that are not.
pub(super) fn has_nested_multi_cell(column: &Column) -> bool {
    column.ty.is_multi_cell()
        && !column.ty.is_collection()
        && column.ty.parts().into_iter().any(cql::types::Type::is_multi_cell)
}
