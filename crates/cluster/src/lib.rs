//! The live system: one connection to an Apache Cassandra or `ScyllaDB` cluster.
//!
//! [`ConnectionOptions`] says where it is and who asks; [`Connection`] is a synchronous face over the asynchronous driver, raw CQL
//! bytes in and out; [`ScratchKeyspace`] is a keyspace of our own that does not outlive its use.

#![expect(clippy::disallowed_methods, reason = "a client of a cluster has files and a clock")]

mod connection;
mod connection_options;
mod driver_error;
mod error;
mod pem;
mod raw_row;
mod scratch_keyspace;
mod secret;
mod tls;
mod types;

pub use connection::{Connection, Request, ResultSet};
pub use connection_options::{ConnectionOptions, Credentials, Tls};
pub use error::{Error, ErrorKind};
pub use scratch_keyspace::{ScratchKeyspace, creation_time};
pub use secret::Secret;
