//! CREATE and DROP TRIGGER. A node has only the trigger classes that its operator installed; here
//! there are none.

use std::sync::Arc;

use cql::statement::function::{CreateTrigger, DropTrigger};

use super::CatalogChange;
use super::access::check_keyspace;
use super::existence::{existing_keyspace, skip_or_refuse};
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::Table;
use crate::refusal::{NameReason, TriggerReason, refuse};

/// `CREATE TRIGGER`
pub(super) fn create(cx: &Context<'_>, statement: &CreateTrigger) -> Result<CatalogChange> {
    let span = statement.table.span();
    let keyspace = cx.keyspace_of(&statement.table)?;
    check_keyspace(&keyspace, span)?;
    let found = existing_keyspace(cx, &keyspace, span)?;
    let name = &statement.table.name.text;
    let Some(table) = found.table_or_view(name) else {
        return refuse(NameReason::UnknownPlainTable { table: name.to_string() }, span);
    };
    if table.is_view {
        return refuse(TriggerReason::OnView, span);
    }
    if table.triggers.iter().any(|trigger| trigger.name == statement.name.text) {
        return skip_or_refuse(
            statement.if_not_exists,
            TriggerReason::Exists { name: statement.name.text.to_string() },
            statement.name.span,
        );
    }
    refuse(TriggerReason::UnknownClass { class: statement.class.to_string() }, span)
}

/// `DROP TRIGGER`
pub(super) fn drop(cx: &Context<'_>, statement: &DropTrigger) -> Result<CatalogChange> {
    let span = statement.table.span();
    let keyspace = cx.keyspace_of(&statement.table)?;
    check_keyspace(&keyspace, span)?;
    let (table_name, name) = (&statement.table.name.text, &statement.name.text);
    let table = cx.catalog.keyspace(&keyspace).and_then(|found| found.tables.get(table_name));
    let existing = table.filter(|table| table.triggers.iter().any(|trigger| trigger.name == *name));
    match existing {
        Some(table) => {
            let mut table = Table::clone(table);
            table.triggers.retain(|trigger| trigger.name != *name);
            Ok(CatalogChange::Table(Arc::new(table)))
        }
        None => skip_or_refuse(
            statement.if_exists,
            TriggerReason::Unknown {
                name: name.to_string(),
                keyspace: keyspace.to_string(),
                table: table_name.to_string(),
            },
            statement.name.span,
        ),
    }
}
