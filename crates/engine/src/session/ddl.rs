//! The execution of schema statements.

use std::sync::PoisonError;

use cql::statement::{Statement, StatementKind};
use cql::{ChangeKind, ChangeTarget, QualifiedName, SchemaChange, SchemaVersion, TableId};
use schema::catalog::{Catalog, list_changes, type_names};
use schema::ddl::{self, CatalogChange};

use crate::error::{Error, Result};
use crate::execute::view;
use crate::node::journal::{self, ExecutedStatement};
use crate::node::schema_history;
use crate::result::ResultMessage;
use crate::session::auth::ResourceChanges;
use crate::session::context::StatementContext;
use crate::session::guardrails;
use crate::session::schema_warnings;

/// Checks a schema statement and applies its change, which is durable then.
pub(crate) fn change(
    context: &StatementContext<'_>,
    statement: &Statement,
    text: &str,
) -> Result<ResultMessage> {
    let outcome = change_schema(context, statement, text)?;
    // The next statement need not wait for this sync, and may share it.
    context.node.store.sync()?;
    Ok(outcome)
}

fn change_schema(
    context: &StatementContext<'_>,
    statement: &Statement,
    text: &str,
) -> Result<ResultMessage> {
    let node = context.node;
    let _one_at_a_time = node.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = node.schema();
    let change = ddl::change(&schema.catalog, context.keyspace, statement).map_err(|refusal| {
        let (catalog, kind) = (&schema.catalog, &statement.kind);
        schema_warnings::warn_of_refusal(context, catalog, kind, &refusal.reason);
        Error::from(refusal)
    })?;
    guardrails::check_schema(context, &schema.catalog, &statement.kind, &change)?;
    schema_warnings::warn(context, &schema.catalog, &statement.kind, &change);
    if is_no_change(&schema.catalog, &change) {
        return Ok(ResultMessage::Void);
    }
    let notification = schema_change(context, &change, &statement.kind);
    protect_virtual(&schema.catalog, &notification.keyspace)?;
    let is_view = matches!(statement.kind, StatementKind::CreateView(_));
    let executed = ExecutedStatement {
        at: context.now_micros,
        table_id: TableId(node.random_id()),
        version: SchemaVersion(node.random_id()),
        keyspace: context.keyspace.unwrap_or_default().into(),
        subject: journal::find_subject(&schema, statement, context.keyspace),
        text: text.into(),
    };
    let memory = schema_history::estimate_memory(text, &statement.kind, &change);
    if !schema_history::is_removal(&change) {
        node.store.admit_growth(memory, is_drop(&statement.kind))?;
    }
    let change = journal::set_drop_time(change, executed.at);
    let (version, table_id) = (executed.version, executed.table_id);
    let affected = ResourceChanges::from_change(&schema.catalog, &change);
    // Only such a change can concern several objects; others cost nothing in a large keyspace.
    let is_several = matches!(change, CatalogChange::Keyspace(_) | CatalogChange::DropKeyspace(_));
    node.append_to_history(executed, memory, &change)?;
    let transition = schema.apply_change(change, version, table_id);
    node.schema_lock().replace(transition.apply_to(&node.store));
    if is_view {
        view::build(
            context,
            &notification.keyspace,
            notification.target.name().unwrap_or_default(),
        )?;
    }
    affected.apply(context)?;
    if is_several {
        node.notify_of_changes(&list_changes(&schema.catalog, &node.schema().catalog));
    } else {
        node.notify_of_changes(std::slice::from_ref(&notification));
    }
    Ok(ResultMessage::Schema(notification))
}

/// Whether a statement drops an object. Its entry stays in the history, as those on the object do.
fn is_drop(statement: &StatementKind) -> bool {
    matches!(
        statement,
        StatementKind::DropIndex(_)
            | StatementKind::DropView(_)
            | StatementKind::DropTrigger(_)
            | StatementKind::DropType(_)
            | StatementKind::DropFunction(_)
    )
}

/// Refuses changes of a virtual keyspace that is none of the server's: the one that controls tests.
fn protect_virtual(catalog: &Catalog, keyspace: &str) -> Result<()> {
    if catalog.keyspace(keyspace).is_some_and(|own| own.is_virtual) {
        let message = format!("{keyspace} keyspace is not user-modifiable.");
        return Err(Error::permission_denied(message));
    }
    Ok(())
}

/// Whether a change has no effect: the server then keeps the schema version and sends no event.
fn is_no_change(catalog: &Catalog, change: &CatalogChange) -> bool {
    let keyspace = |name: &str| catalog.keyspaces.get(name);
    match change {
        CatalogChange::Nothing => true,
        CatalogChange::Keyspace(new) => keyspace(&new.name) == Some(new),
        CatalogChange::Table(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.tables.get(&new.name) == Some(new))
        }
        CatalogChange::View(new) => keyspace(&new.table.keyspace)
            .is_some_and(|own| own.views.get(&new.table.name) == Some(new)),
        CatalogChange::Function(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.functions.contains(new))
        }
        CatalogChange::Aggregate(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.aggregates.contains(new))
        }
        _ => false,
    }
}

/// Whether a function or aggregate is replaced.
fn is_replacement(catalog: &Catalog, change: &CatalogChange) -> bool {
    let keyspace = |name: &str| catalog.keyspaces.get(name);
    match change {
        CatalogChange::Function(new) => keyspace(&new.keyspace).is_some_and(|own| {
            own.functions
                .iter()
                .any(|function| function.name == new.name && function.types() == new.types())
        }),
        CatalogChange::Aggregate(new) => keyspace(&new.keyspace).is_some_and(|own| {
            own.aggregates
                .iter()
                .any(|aggregate| aggregate.name == new.name && aggregate.arguments == new.arguments)
        }),
        _ => false,
    }
}

fn qualify(context: &StatementContext<'_>, name: &QualifiedName) -> (Box<str>, Box<str>) {
    let keyspace = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
    (keyspace.or(context.keyspace).unwrap_or_default().into(), name.name.text.clone())
}

/// The schema change that clients are notified of.
fn schema_change(
    context: &StatementContext<'_>,
    change: &CatalogChange,
    statement: &StatementKind,
) -> SchemaChange {
    let created = match statement {
        _ if is_replacement(&context.schema.catalog, change) => ChangeKind::Updated,
        StatementKind::CreateKeyspace(_)
        | StatementKind::CreateTable(_)
        | StatementKind::CreateView(_)
        | StatementKind::CreateType(_)
        | StatementKind::CreateFunction(_)
        | StatementKind::CreateAggregate(_) => ChangeKind::Created,
        _ => ChangeKind::Updated,
    };
    let (updated, dropped) = (ChangeKind::Updated, ChangeKind::Dropped);
    let (change, keyspace, target): (_, &str, _) = match change {
        CatalogChange::Nothing => (created, "", ChangeTarget::Keyspace),
        CatalogChange::Keyspace(keyspace) => match statement {
            StatementKind::AlterType(alter) => {
                let (keyspace, name) = qualify(context, &alter.name);
                return SchemaChange {
                    change: updated,
                    keyspace,
                    target: ChangeTarget::Type(name),
                };
            }
            StatementKind::AlterTable(alter) => {
                let (keyspace, name) = qualify(context, &alter.name);
                let target = ChangeTarget::Table(name);
                return SchemaChange { change: updated, keyspace, target };
            }
            _ => (created, &keyspace.name, ChangeTarget::Keyspace),
        },
        CatalogChange::DropKeyspace(name) => (dropped, name, ChangeTarget::Keyspace),
        CatalogChange::Table(table) => {
            (created, &table.keyspace, ChangeTarget::Table(table.name.clone()))
        }
        CatalogChange::View(view) => {
            (created, &view.table.keyspace, ChangeTarget::Table(view.table.name.clone()))
        }
        CatalogChange::DropTable { keyspace, name }
        | CatalogChange::DropView { keyspace, name } => {
            (dropped, keyspace, ChangeTarget::Table(name.clone()))
        }
        CatalogChange::Type(user) => {
            (created, &user.keyspace, ChangeTarget::Type(user.name.clone()))
        }
        CatalogChange::DropType { keyspace, name } => {
            (dropped, keyspace, ChangeTarget::Type(name.clone()))
        }
        CatalogChange::Function(one) => (created, &one.keyspace, one.change_target()),
        CatalogChange::Aggregate(one) => (created, &one.keyspace, one.change_target()),
        CatalogChange::DropFunction { keyspace, name, arguments } => {
            (dropped, keyspace, ChangeTarget::Function(name.clone(), type_names(arguments)))
        }
        CatalogChange::DropAggregate { keyspace, name, arguments } => {
            (dropped, keyspace, ChangeTarget::Aggregate(name.clone(), type_names(arguments)))
        }
    };
    SchemaChange { change, keyspace: keyspace.into(), target }
}
