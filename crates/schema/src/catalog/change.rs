//! [`CatalogChange`]: the effect of a schema statement.

use std::sync::Arc;

use cql::types::{Type, UserType};

use super::{Keyspace, Table, UserAggregate, UserFunction, View};

/// The effect of an accepted schema statement on the catalog.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of the Drop variants name what is dropped")]
pub enum CatalogChange {
    /// No effect (`IF NOT EXISTS` on an object that exists, ...).
    Nothing,
    /// Creates or replaces a keyspace with all of its objects.
    Keyspace(Arc<Keyspace>),
    /// Drops a keyspace.
    DropKeyspace(Box<str>),
    /// Creates or replaces a table.
    Table(Arc<Table>),
    /// Drops a table.
    DropTable { keyspace: Box<str>, name: Box<str> },
    /// Creates a user type.
    Type(Arc<UserType>),
    /// Drops a user type.
    DropType { keyspace: Box<str>, name: Box<str> },
    /// Creates or replaces a view.
    View(Arc<View>),
    /// Drops a view.
    DropView { keyspace: Box<str>, name: Box<str> },
    /// Creates or replaces a function.
    Function(Arc<UserFunction>),
    /// Drops a function.
    DropFunction { keyspace: Box<str>, name: Box<str>, arguments: Vec<Type> },
    /// Creates or replaces an aggregate.
    Aggregate(Arc<UserAggregate>),
    /// Drops an aggregate.
    DropAggregate { keyspace: Box<str>, name: Box<str>, arguments: Vec<Type> },
}
