//! Schema statements.

use std::sync::PoisonError;

use cql::statement::{Statement, StatementKind};
use cql::{ErrorCode, QualifiedName};
use schema::catalog::Catalog;
use schema::ddl::{self, Change};

use crate::answer::{Outcome, SchemaChange};
use crate::auth::Affected;
use crate::error::{Detail, Error, Result};
use crate::execution::Execution;
use crate::journal::{self, Entry, Executed};
use crate::{guard, notices, view};

/// Checks a schema statement and makes the change.
pub(crate) fn change(
    execution: &Execution<'_>,
    statement: &Statement,
    text: &str,
) -> Result<Outcome> {
    let node = execution.node;
    let _one_at_a_time = node.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = node.schema();
    let change =
        ddl::change(&schema.catalog, execution.keyspace, statement).map_err(|refusal| {
            let (catalog, kind) = (&schema.catalog, &statement.kind);
            notices::warn_of_refusal(execution, catalog, kind, &refusal.message());
            with_detail(execution, refusal.into(), statement)
        })?;
    guard::check_schema(execution, &schema.catalog, &statement.kind, &change)?;
    notices::warn(execution, &schema.catalog, &statement.kind, &change);
    if is_empty(&schema.catalog, &change) {
        return Ok(Outcome::Void);
    }
    let told = told(execution, &change, &statement.kind);
    let is_view = matches!(statement.kind, StatementKind::CreateView(_));
    let executed = Executed {
        at: execution.now_micros,
        table_id: node.random_id(),
        version: node.random_id(),
        keyspace: execution.keyspace.unwrap_or_default().into(),
        subject: journal::subject(&schema, statement, execution.keyspace),
        text: text.into(),
    };
    let change = journal::dated(change, executed.at);
    let (version, table_id) = (executed.version, executed.table_id);
    let affected = Affected::of(&schema.catalog, &change);
    node.remember(Entry::Statement(executed), &change)?;
    node.schema_lock().replace(schema.after(&node.store, change, version, table_id));
    if is_view {
        view::build(execution, &told.keyspace, &told.name)?;
    }
    affected.settle(execution)?;
    Ok(Outcome::Schema(told))
}

/// Whether a change leaves everything as it is: the server then keeps its version and tells nobody.
fn is_empty(catalog: &Catalog, change: &Change) -> bool {
    let keyspace = |name: &str| catalog.keyspaces.get(name);
    match change {
        Change::Nothing => true,
        Change::Keyspace(new) => keyspace(&new.name) == Some(new),
        Change::Table(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.tables.get(&new.name) == Some(new))
        }
        Change::View(new) => keyspace(&new.table.keyspace)
            .is_some_and(|own| own.views.get(&new.table.name) == Some(new)),
        Change::Function(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.functions.contains(new))
        }
        Change::Aggregate(new) => {
            keyspace(&new.keyspace).is_some_and(|own| own.aggregates.contains(new))
        }
        _ => false,
    }
}

/// Whether a function or aggregate replaces another.
fn replaces(catalog: &Catalog, change: &Change) -> bool {
    let keyspace = |name: &str| catalog.keyspaces.get(name);
    match change {
        Change::Function(new) => keyspace(&new.keyspace).is_some_and(|own| {
            own.functions.iter().any(|one| one.name == new.name && one.types() == new.types())
        }),
        Change::Aggregate(new) => keyspace(&new.keyspace).is_some_and(|own| {
            own.aggregates.iter().any(|one| one.name == new.name && one.arguments == new.arguments)
        }),
        _ => false,
    }
}

/// What exists already is named.
fn with_detail(execution: &Execution<'_>, mut error: Error, statement: &Statement) -> Error {
    if error.code == ErrorCode::AlreadyExists.number() {
        let (keyspace, table) = match &statement.kind {
            StatementKind::CreateKeyspace(create) => (create.name.text.clone(), "".into()),
            StatementKind::CreateTable(create) => qualified(execution, &create.name),
            StatementKind::CreateView(create) => qualified(execution, &create.name),
            _ => return error,
        };
        error.detail = Detail::AlreadyExists { keyspace, table };
    }
    error
}

fn qualified(execution: &Execution<'_>, name: &QualifiedName) -> (Box<str>, Box<str>) {
    let keyspace = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
    (keyspace.or(execution.keyspace).unwrap_or_default().into(), name.name.text.clone())
}

/// What clients are told of a change.
fn told(execution: &Execution<'_>, change: &Change, statement: &StatementKind) -> SchemaChange {
    let created = match statement {
        _ if replaces(&execution.schema.catalog, change) => "UPDATED",
        StatementKind::CreateKeyspace(_)
        | StatementKind::CreateTable(_)
        | StatementKind::CreateView(_)
        | StatementKind::CreateType(_)
        | StatementKind::CreateFunction(_)
        | StatementKind::CreateAggregate(_) => "CREATED",
        _ => "UPDATED",
    };
    let of = |change, target, keyspace: &str, name: &str, arguments| SchemaChange {
        change,
        target,
        keyspace: keyspace.into(),
        name: name.into(),
        arguments,
    };
    let types = |types: &[cql::types::Type]| types.iter().map(ToString::to_string).collect();
    match change {
        Change::Nothing => of(created, "KEYSPACE", "", "", Vec::new()),
        Change::Keyspace(keyspace) => match statement {
            StatementKind::AlterType(alter) => {
                let (keyspace, name) = qualified(execution, &alter.name);
                of("UPDATED", "TYPE", &keyspace, &name, Vec::new())
            }
            StatementKind::AlterTable(alter) => {
                let (keyspace, name) = qualified(execution, &alter.name);
                of("UPDATED", "TABLE", &keyspace, &name, Vec::new())
            }
            _ => of(created, "KEYSPACE", &keyspace.name, "", Vec::new()),
        },
        Change::DropKeyspace(name) => of("DROPPED", "KEYSPACE", name, "", Vec::new()),
        Change::Table(table) => of(created, "TABLE", &table.keyspace, &table.name, Vec::new()),
        Change::View(view) => {
            of(created, "TABLE", &view.table.keyspace, &view.table.name, Vec::new())
        }
        Change::DropTable { keyspace, name } | Change::DropView { keyspace, name } => {
            of("DROPPED", "TABLE", keyspace, name, Vec::new())
        }
        Change::Type(user) => of(created, "TYPE", &user.keyspace, &user.name, Vec::new()),
        Change::DropType { keyspace, name } => of("DROPPED", "TYPE", keyspace, name, Vec::new()),
        Change::Function(function) => {
            let arguments = types(&function.types());
            of(created, "FUNCTION", &function.keyspace, &function.name, arguments)
        }
        Change::Aggregate(one) => {
            of(created, "AGGREGATE", &one.keyspace, &one.name, types(&one.arguments))
        }
        Change::DropFunction { keyspace, name, arguments } => {
            of("DROPPED", "FUNCTION", keyspace, name, types(arguments))
        }
        Change::DropAggregate { keyspace, name, arguments } => {
            of("DROPPED", "AGGREGATE", keyspace, name, types(arguments))
        }
    }
}
