//! DESCRIBE.

use crate::name::{Name, QualifiedName};

/// `DESCRIBE ... [WITH INTERNALS]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Describe {
    /// What is described.
    pub target: DescribeTarget,
    /// `WITH INTERNALS`
    pub with_internals: bool,
}

/// What DESCRIBE describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DescribeTarget {
    /// `CLUSTER`
    Cluster,
    /// `[FULL] SCHEMA`
    Schema {
        /// `FULL`
        full: bool,
    },
    /// `KEYSPACES`
    Keyspaces,
    /// `[ONLY] KEYSPACE [k]`
    Keyspace {
        /// `ONLY`
        only: bool,
        /// The keyspace; the current one without it.
        name: Option<Name>,
    },
    /// `TABLES`
    Tables,
    /// `TABLE t`
    Table(QualifiedName),
    /// `INDEX i`
    Index(QualifiedName),
    /// `MATERIALIZED VIEW v`
    View(QualifiedName),
    /// `TYPES`
    Types,
    /// `TYPE t`
    Type(QualifiedName),
    /// `FUNCTIONS`
    Functions,
    /// `FUNCTION f`
    Function(QualifiedName),
    /// `AGGREGATES`
    Aggregates,
    /// `AGGREGATE a`
    Aggregate(QualifiedName),
    /// A bare name: keyspace, table, index or view.
    Anything(QualifiedName),
}
