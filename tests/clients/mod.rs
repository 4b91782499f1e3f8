//! Real clients of `helenus serve`: the Python driver, cqlsh, the Rust driver. What they are asked was asked of a real node
//! first, and is asked of it again wherever there is one.

mod cqlsh;
mod driver;
mod python;
mod raw;
mod schema_changes;
mod scripts;
mod server;

pub(crate) use server::Server;
