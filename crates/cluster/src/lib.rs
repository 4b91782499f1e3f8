//! The live system: one connection to an Apache Cassandra or `ScyllaDB` cluster.
//!
//! [`Access`] says where it is and who asks; [`Connection`] is a synchronous face over the asynchronous driver, raw CQL
//! bytes in and out; [`Scratch`] is a keyspace of our own that does not outlive its use.

mod access;
mod connection;
mod driver_error;
mod error;
mod pem;
mod raw;
mod scratch;
mod secret;
mod trust;
mod types;

pub use access::{Access, Credentials, Tls};
pub use connection::{Connection, Request, Rows};
pub use error::{Error, Kind};
pub use scratch::{Scratch, created_at};
pub use secret::Secret;
