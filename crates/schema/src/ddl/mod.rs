//! Schema statements: each is checked against the catalog as the server would and becomes a [`Change`].
//!
//! The order of the checks is the server's: what the parser notices, whether the keyspace may be touched at all,
//! the values of options, then the schema.

mod access;
mod function;
mod index;
mod keyspace;
mod literal;
mod mask;
mod options;
mod properties;
mod refusal;
mod replication;
mod table;
mod trigger;
mod user_type;
mod view;

use std::sync::Arc;

use cql::types::{Type, UserType};
use cql::{Statement, StatementKind};

use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{Catalog, Keyspace, Table, UserAggregate, UserFunction, View};

/// What a schema statement does to the catalog once it is accepted.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of the Drop variants name what is dropped")]
pub enum Change {
    /// Nothing (`IF NOT EXISTS` on something that exists, ...).
    Nothing,
    /// A keyspace is new or replaced, with everything it holds.
    Keyspace(Arc<Keyspace>),
    /// A keyspace is gone.
    DropKeyspace(Box<str>),
    /// A table is new or replaced.
    Table(Arc<Table>),
    /// A table is gone.
    DropTable { keyspace: Box<str>, name: Box<str> },
    /// A user type is new.
    Type(Arc<UserType>),
    /// A user type is gone.
    DropType { keyspace: Box<str>, name: Box<str> },
    /// A view is new or replaced.
    View(Arc<View>),
    /// A view is gone.
    DropView { keyspace: Box<str>, name: Box<str> },
    /// A function is new or replaced.
    Function(Arc<UserFunction>),
    /// A function is gone.
    DropFunction { keyspace: Box<str>, name: Box<str>, arguments: Vec<Type> },
    /// An aggregate is new or replaced.
    Aggregate(Arc<UserAggregate>),
    /// An aggregate is gone.
    DropAggregate { keyspace: Box<str>, name: Box<str>, arguments: Vec<Type> },
}

/// What a schema statement would do to the catalog, or the server's refusal. Any other statement does nothing.
pub fn change(catalog: &Catalog, keyspace: Option<&str>, statement: &Statement) -> Result<Change> {
    let cx = Context::new(catalog, keyspace, statement);
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => keyspace::create(catalog, create),
        StatementKind::AlterKeyspace(alter) => keyspace::alter(catalog, alter),
        StatementKind::DropKeyspace(drop) => keyspace::drop(catalog, drop),
        StatementKind::CreateTable(create) => table::create(&cx, create),
        StatementKind::AlterTable(alter) => table::alter(&cx, alter),
        StatementKind::DropTable(drop) => table::drop(&cx, drop),
        StatementKind::CreateIndex(create) => index::create(&cx, create),
        StatementKind::DropIndex(drop) => index::drop(&cx, drop),
        StatementKind::CreateType(create) => user_type::create(&cx, create),
        StatementKind::AlterType(alter) => user_type::alter(&cx, alter),
        StatementKind::DropType(drop) => user_type::drop(&cx, drop),
        StatementKind::CreateView(create) => view::create(&cx, create),
        StatementKind::AlterView(alter) => view::alter(&cx, alter),
        StatementKind::DropView(drop) => view::drop(&cx, drop),
        StatementKind::CreateFunction(create) => function::create(&cx, create),
        StatementKind::CreateAggregate(create) => function::create_aggregate(&cx, create),
        StatementKind::DropFunction(drop) => function::drop(&cx, drop),
        StatementKind::CreateTrigger(create) => trigger::create(&cx, create),
        StatementKind::DropTrigger(drop) => trigger::drop(&cx, drop),
        _ => Ok(Change::Nothing),
    }
}
