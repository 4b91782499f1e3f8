//! Schema statements: each is checked against the catalog as the server would and becomes a [`Change`].

use std::sync::Arc;

use cql::types::UserType;

use crate::catalog::{Keyspace, Table, UserAggregate, UserFunction, View};

/// What a schema statement does to the catalog once it is accepted.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Nothing (`IF NOT EXISTS` on something that exists, ...).
    Nothing,
    /// A keyspace is new or replaced, with everything it holds.
    Keyspace(Arc<Keyspace>),
    /// A keyspace is gone.
    DropKeyspace(Box<str>),
    /// A table is new or replaced.
    Table(Arc<Table>),
    /// A user type is new or replaced.
    Type(Arc<UserType>),
    /// A view is new or replaced.
    View(Arc<View>),
    /// A function is new or replaced.
    Function(Arc<UserFunction>),
    /// An aggregate is new or replaced.
    Aggregate(Arc<UserAggregate>),
}
