//! The ids that Cassandra gives to its things, each a type of its own: all are 16 bytes.

use std::fmt;

use crate::value::Uuid;

/// Makes the types of ids.
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
    /// A node.
    HostId;
    /// The schema as it is between two changes.
    SchemaVersion;
    /// A prepared statement.
    StatementId;
    /// A table or view.
    TableId;
    /// The trace of a statement.
    TraceId;
}
