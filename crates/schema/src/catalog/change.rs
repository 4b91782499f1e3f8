//! A change of the catalog.

use std::sync::Arc;

use cql::types::{Type, UserType};

use super::{Keyspace, Table, UserAggregate, UserFunction, View};

/// What a schema statement does to the catalog once it is accepted.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of the Drop variants name what is dropped")]
pub enum CatalogChange {
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
