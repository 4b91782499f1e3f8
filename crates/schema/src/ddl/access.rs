//! The protection of system keyspaces, and the rules for names.

use std::fmt;

use cql::Span;

use crate::Result;
use crate::catalog::Keyspace;
use crate::refusal::{KeyspaceReason, refuse};

/// The maximum length of a keyspace name.
const KEYSPACE_NAME_LENGTH: usize = 48;

/// The permission that a statement needs on a [`DataResource`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Permission {
    Create,
    Alter,
    Drop,
}

/// The resource that a statement needs a permission on.
#[derive(Clone, Copy, Debug)]
pub(super) enum DataResource<'a> {
    Keyspace(&'a str),
    AllTables(&'a str),
    Table(&'a str, &'a str),
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "CREATE",
            Self::Alter => "ALTER",
            Self::Drop => "DROP",
        })
    }
}

impl fmt::Display for DataResource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyspace(keyspace) => write!(f, "<keyspace {keyspace}>"),
            Self::AllTables(keyspace) => write!(f, "<all tables in {keyspace}>"),
            Self::Table(keyspace, table) => write!(f, "<table {keyspace}.{table}>"),
        }
    }
}

impl<'a> DataResource<'a> {
    fn keyspace(self) -> &'a str {
        match self {
            Self::Keyspace(keyspace) | Self::AllTables(keyspace) | Self::Table(keyspace, _) => {
                keyspace
            }
        }
    }
}

/// The check that precedes everything but parsing. The replication of replicated system keyspaces
/// may be altered, nothing more.
pub(super) fn authorize(
    permission: Permission,
    resource: DataResource<'_>,
    span: Span,
) -> Result<()> {
    let keyspace = resource.keyspace();
    if Keyspace::is_local_system(keyspace) {
        return refuse(KeyspaceReason::Local { keyspace: keyspace.to_string() }, span);
    }
    let alters_keyspace =
        matches!((permission, resource), (Permission::Alter, DataResource::Keyspace(_)));
    if Keyspace::is_replicated_system(keyspace) && !alters_keyspace {
        return refuse(
            KeyspaceReason::Replicated {
                permission: permission.to_string(),
                resource: resource.to_string(),
            },
            span,
        );
    }
    Ok(())
}

/// The checks of a keyspace name with which every schema statement starts its execution.
pub(super) fn check_keyspace(name: &str, span: Span) -> Result<()> {
    if Keyspace::is_local_system(name) {
        return refuse(KeyspaceReason::System { name: name.to_string() }, span);
    }
    if !is_word(name) {
        return refuse(KeyspaceReason::Name { name: name.to_string() }, span);
    }
    if name.len() > KEYSPACE_NAME_LENGTH {
        return refuse(
            KeyspaceReason::NameLength {
                limit: KEYSPACE_NAME_LENGTH,
                length: name.len(),
                name: name.to_string(),
            },
            span,
        );
    }
    Ok(())
}

/// Whether a name consists of letters, digits and underscores, at least one.
pub(super) fn is_word(name: &str) -> bool {
    let is_word_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // A template placeholder is assumed to become a word.
    !name.is_empty() && (name.bytes().all(is_word_byte) || cql::is_template(name))
}
