//! The live system: one connection to an Apache Cassandra or `ScyllaDB` cluster.
//!
//! [`ConnectionOptions`] are contact points, credentials and TLS settings; [`Connection`] is a
//! synchronous interface to the asynchronous driver, with serialised values in and out;
//! [`ScratchKeyspace`] is a temporary keyspace that is dropped after use; [`SystemReader`] only reads
//! tables of the server itself.

#![expect(clippy::disallowed_methods, reason = "a client of a cluster has files and a clock")]

mod connection;
mod connection_options;
mod driver_error;
mod error;
mod page;
mod pem;
mod raw_row;
mod read_only;
mod scratch_keyspace;
mod secret;
mod system_reader;
mod tls;
mod types;

pub use connection::{Connection, Request, ResultSet};
pub use connection_options::{ConnectionOptions, Credentials, Tls};
pub use error::{Error, ErrorKind, ErrorResponse};
pub use page::{PageColumn, PageRequest, ResultPage};
pub use read_only::{ROWS_MAX, ReadOnlyViolation, check_read_only};
pub use scratch_keyspace::{ScratchKeyspace, creation_time};
pub use secret::Secret;
pub use system_reader::SystemReader;
