//! The ids of Cassandra's objects, as distinct types: all are 16 bytes.

use std::fmt;

use crate::value::Uuid;

/// Defines id types.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 16]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Uuid(self.0).fmt(f)
            }
        }
    )+};
}

ids! {
    /// The id of a node.
    HostId;
    /// The id of a version of the schema.
    SchemaVersion;
    /// The id of a prepared statement.
    StatementId;
    /// The id of a table or view.
    TableId;
    /// The id of a trace session.
    TraceId;
}
