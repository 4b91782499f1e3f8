//! CREATE, ALTER and DROP MATERIALIZED VIEW.

mod create;
mod key;
mod restrictions;

use std::sync::Arc;

use cql::statement::view::{AlterView, DropView};

use super::access::{Permission, Resource, authorize, check_keyspace};
use super::properties::Properties;
use super::refusal::invalid;
use super::{Change, options};
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{Table, View};

pub(super) use create::create;

/// The rule that speaks about what views cannot be made of.
const RULE: &str = "MV005";
/// The rule that speaks about how views are written: names, keyspaces, markers.
const WRITTEN: &str = "SV038";

/// `ALTER MATERIALIZED VIEW`
pub(super) fn alter(cx: &Context<'_>, statement: &AlterView) -> Result<Change> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let properties = Properties::new(&statement.properties, span);
    let keyspace = cx.keyspace_of(&statement.name)?;
    let found = cx.catalog.keyspace(&keyspace).and_then(|keyspace| keyspace.views.get(name));
    if let Some(view) = found {
        authorize(Permission::Alter, Resource::Table(&keyspace, &view.base_table), span)?;
    }
    check_keyspace(&keyspace, span)?;
    let Some(view) = found else {
        if statement.if_exists {
            return Ok(Change::Nothing);
        }
        return invalid(
            "SV028",
            format!("Materialized view '{keyspace}.{name}' doesn't exist"),
            span,
        );
    };
    let params = options::alter(&properties, &view.table.params)?;
    if params.gc_grace_seconds == 0 {
        let message = "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to TTL \
                       undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates to expire \
                       before being replayed.";
        return invalid(RULE, message, properties.span_of("gc_grace_seconds"));
    }
    if params.default_time_to_live > 0 {
        let message = "Forbidden default_time_to_live detected for a materialized view. Data in a materialized view \
                       always expire at the same time than the corresponding data in the parent table. \
                       default_time_to_live must be set to zero, see CASSANDRA-12868 for more information";
        return invalid(RULE, message, properties.span_of("default_time_to_live"));
    }
    let mut table = Table::clone(&view.table);
    table.params = params;
    Ok(Change::View(Arc::new(View { table: Arc::new(table), ..View::clone(view) })))
}

/// `DROP MATERIALIZED VIEW`
pub(super) fn drop(cx: &Context<'_>, statement: &DropView) -> Result<Change> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    let found = cx.catalog.keyspace(&keyspace).and_then(|keyspace| keyspace.views.get(name));
    if let Some(view) = found {
        authorize(Permission::Alter, Resource::Table(&keyspace, &view.base_table), span)?;
    }
    check_keyspace(&keyspace, span)?;
    if found.is_some() {
        return Ok(Change::DropView { keyspace, name: name.clone() });
    }
    if statement.if_exists {
        return Ok(Change::Nothing);
    }
    invalid("SV028", format!("Materialized view '{keyspace}.{name}' doesn't exist"), span)
}
