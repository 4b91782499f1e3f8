//! Keyspaces: CREATE, ALTER, DROP, USE.

use crate::name::Name;
use crate::property::Property;

/// `CREATE KEYSPACE [IF NOT EXISTS] k WITH ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateKeyspace {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the keyspace.
    pub name: Name,
    /// The properties of the WITH clause.
    pub properties: Vec<Property>,
}

/// `ALTER KEYSPACE [IF EXISTS] k WITH ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterKeyspace {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the keyspace.
    pub name: Name,
    /// The properties of the WITH clause.
    pub properties: Vec<Property>,
}

/// `DROP KEYSPACE [IF EXISTS] k`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropKeyspace {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the keyspace.
    pub name: Name,
}

/// `USE k`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The name of the keyspace.
    pub keyspace: Name,
}
