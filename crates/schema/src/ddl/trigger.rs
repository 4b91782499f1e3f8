//! CREATE and DROP TRIGGER. A node has no trigger classes but those its operator put there; here there are none.

use std::sync::Arc;

use cql::statement::function::{CreateTrigger, DropTrigger};

use super::Change;
use super::access::check_keyspace;
use super::refusal::invalid;
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::Table;

/// `CREATE TRIGGER`
pub(super) fn create(cx: &Context<'_>, statement: &CreateTrigger) -> Result<Change> {
    let span = statement.table.span();
    let keyspace = cx.keyspace_of(&statement.table)?;
    check_keyspace(&keyspace, span)?;
    let Some(found) = cx.catalog.keyspace(&keyspace) else {
        return invalid("SV028", format!("Keyspace '{keyspace}' doesn't exist"), span);
    };
    let name = &statement.table.name.text;
    let Some(table) = found.table_or_view(name) else {
        return invalid("SV028", format!("Table '{name}' doesn't exist"), span);
    };
    if table.is_view {
        return invalid("SV036", "Cannot CREATE TRIGGER for a materialized view", span);
    }
    if table.triggers.iter().any(|trigger| trigger.name == statement.name.text) {
        if statement.if_not_exists {
            return Ok(Change::Nothing);
        }
        let message = format!("Trigger '{}' already exists", statement.name.text);
        return invalid("SV027", message, statement.name.span);
    }
    invalid("SV036", format!("Trigger class '{}' couldn't be loaded", statement.class), span)
}

/// `DROP TRIGGER`
pub(super) fn drop(cx: &Context<'_>, statement: &DropTrigger) -> Result<Change> {
    let span = statement.table.span();
    let keyspace = cx.keyspace_of(&statement.table)?;
    check_keyspace(&keyspace, span)?;
    let (table_name, name) = (&statement.table.name.text, &statement.name.text);
    let table = cx.catalog.keyspace(&keyspace).and_then(|found| found.tables.get(table_name));
    let found = table.filter(|table| table.triggers.iter().any(|trigger| trigger.name == *name));
    match found {
        Some(table) => {
            let mut table = Table::clone(table);
            table.triggers.retain(|trigger| trigger.name != *name);
            Ok(Change::Table(Arc::new(table)))
        }
        None if statement.if_exists => Ok(Change::Nothing),
        None => {
            let message = format!("Trigger '{name}' on '{keyspace}.{table_name}' doesn't exist");
            invalid("SV028", message, statement.name.span)
        }
    }
}
