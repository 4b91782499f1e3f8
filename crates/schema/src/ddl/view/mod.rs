//! CREATE, ALTER and DROP MATERIALIZED VIEW.

mod create;
mod key;
mod restrictions;

use std::sync::Arc;

use cql::statement::view::{AlterView, DropView};

use super::access::{DataResource, Permission, authorize, check_keyspace};
use super::existence::skip_or_refuse;
use super::properties::Properties;
use super::{CatalogChange, options};
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{Table, View};
use crate::refusal::{ViewReason, refuse};

pub(super) use create::create;

/// `ALTER MATERIALIZED VIEW`
pub(super) fn alter(cx: &Context<'_>, statement: &AlterView) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let properties = Properties::new(&statement.properties, span);
    let keyspace = cx.keyspace_of(&statement.name)?;
    let existing = cx.catalog.keyspace(&keyspace).and_then(|keyspace| keyspace.views.get(name));
    if let Some(view) = existing {
        authorize(Permission::Alter, DataResource::Table(&keyspace, &view.base_table), span)?;
    }
    check_keyspace(&keyspace, span)?;
    let Some(view) = existing else {
        return skip_or_refuse(
            statement.if_exists,
            ViewReason::Unknown { keyspace: keyspace.to_string(), name: name.to_string() },
            span,
        );
    };
    let params = options::alter(&properties, &view.table.params)?;
    if params.gc_grace_seconds == 0 {
        return refuse(ViewReason::Grace, properties.span_of("gc_grace_seconds"));
    }
    if params.default_time_to_live > 0 {
        return refuse(ViewReason::AlterTimeToLive, properties.span_of("default_time_to_live"));
    }
    let mut table = Table::clone(&view.table);
    table.params = params;
    Ok(CatalogChange::View(Arc::new(View { table: Arc::new(table), ..View::clone(view) })))
}

/// `DROP MATERIALIZED VIEW`
pub(super) fn drop(cx: &Context<'_>, statement: &DropView) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    let existing = cx.catalog.keyspace(&keyspace).and_then(|keyspace| keyspace.views.get(name));
    if let Some(view) = existing {
        authorize(Permission::Alter, DataResource::Table(&keyspace, &view.base_table), span)?;
    }
    check_keyspace(&keyspace, span)?;
    if existing.is_some() {
        return Ok(CatalogChange::DropView { keyspace, name: name.clone() });
    }
    skip_or_refuse(
        statement.if_exists,
        ViewReason::Unknown { keyspace: keyspace.to_string(), name: name.to_string() },
        span,
    )
}
