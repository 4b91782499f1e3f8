//! Schema statements.

use std::sync::PoisonError;

use cql::statement::{Statement, StatementKind};
use cql::{ErrorCode, QualifiedName};
use schema::catalog::Catalog;
use schema::ddl::{self, Change};

use crate::answer::{Outcome, SchemaChange};
use crate::error::{Detail, Error, Result};
use crate::execute::view;
use crate::node::journal::{self, Entry, Executed};
use crate::session::auth::Affected;
use crate::session::context::StatementContext;
use crate::session::guardrails;
use crate::session::schema_warnings;

/// Checks a schema statement and makes the change.
pub(crate) fn change(
    context: &StatementContext<'_>,
    statement: &Statement,
    text: &str,
) -> Result<Outcome> {
    let node = context.node;
    let _one_at_a_time = node.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = node.schema();
    let change = ddl::change(&schema.catalog, context.keyspace, statement).map_err(|refusal| {
        let (catalog, kind) = (&schema.catalog, &statement.kind);
        schema_warnings::warn_of_refusal(context, catalog, kind, &refusal.message());
        with_detail(context, refusal.into(), statement)
    })?;
    guardrails::check_schema(context, &schema.catalog, &statement.kind, &change)?;
    schema_warnings::warn(context, &schema.catalog, &statement.kind, &change);
    if is_empty(&schema.catalog, &change) {
        return Ok(Outcome::Void);
    }
    let told = told(context, &change, &statement.kind);
    let is_view = matches!(statement.kind, StatementKind::CreateView(_));
    let executed = Executed {
        at: context.now_micros,
        table_id: node.random_id(),
        version: node.random_id(),
        keyspace: context.keyspace.unwrap_or_default().into(),
        subject: journal::subject(&schema, statement, context.keyspace),
        text: text.into(),
    };
    let change = journal::dated(change, executed.at);
    let (version, table_id) = (executed.version, executed.table_id);
    let affected = Affected::of(&schema.catalog, &change);
    node.append_to_history(Entry::Statement(executed), &change)?;
    let transition = schema.after(change, version, table_id);
    node.schema_lock().replace(transition.carry_out(&node.store));
    if is_view {
        view::build(context, &told.keyspace, &told.name)?;
    }
    affected.settle(context)?;
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
fn with_detail(context: &StatementContext<'_>, mut error: Error, statement: &Statement) -> Error {
    if error.code == ErrorCode::AlreadyExists.number() {
        let (keyspace, table) = match &statement.kind {
            StatementKind::CreateKeyspace(create) => (create.name.text.clone(), "".into()),
            StatementKind::CreateTable(create) => qualified(context, &create.name),
            StatementKind::CreateView(create) => qualified(context, &create.name),
            _ => return error,
        };
        error.detail = Detail::AlreadyExists { keyspace, table };
    }
    error
}

fn qualified(context: &StatementContext<'_>, name: &QualifiedName) -> (Box<str>, Box<str>) {
    let keyspace = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
    (keyspace.or(context.keyspace).unwrap_or_default().into(), name.name.text.clone())
}

/// What clients are told of a change.
fn told(
    context: &StatementContext<'_>,
    change: &Change,
    statement: &StatementKind,
) -> SchemaChange {
    let created = match statement {
        _ if replaces(&context.schema.catalog, change) => "UPDATED",
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
                let (keyspace, name) = qualified(context, &alter.name);
                of("UPDATED", "TYPE", &keyspace, &name, Vec::new())
            }
            StatementKind::AlterTable(alter) => {
                let (keyspace, name) = qualified(context, &alter.name);
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
