//! Schema statements: each is checked against the catalog as in the server, and becomes a
//! [`CatalogChange`].
//!
//! The order of the checks is the server's: errors of the parser, access to the keyspace, the
//! values of options, then the schema.

mod access;
mod existence;
mod function;
mod index;
mod keyspace;
mod literal;
mod mask;
mod options;
mod properties;
mod replication;
mod table;
mod trigger;
mod user_type;
mod view;

use cql::{Statement, StatementKind};

use crate::Result;
use crate::bind::context::Context;
use crate::catalog::Catalog;
pub use crate::catalog::CatalogChange;

/// The effect of a schema statement on the catalog, or the server's error. Any other statement has
/// no effect.
pub fn change(
    catalog: &Catalog,
    keyspace: Option<&str>,
    statement: &Statement,
) -> Result<CatalogChange> {
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
        _ => Ok(CatalogChange::Nothing),
    }
}
